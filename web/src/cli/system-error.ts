// What the system says of files and folders, in words.

const reasons: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a file or folder cannot be used; undefined for what is no error of the system about one. */
export function reasonOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || syscall === undefined) return undefined;
  return reasons[code] ? `${reasons[code]} (${code})` : error.message;
}
