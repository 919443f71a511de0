// Files of a folder that somebody drops or chooses.

/** All files of what was dropped, folders opened one level deep: a model folder is flat. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const lists = await Promise.all(
    entries.map(async (entry) =>
      entry.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : [await fileOf(entry)],
    ),
  );
  return lists.flat();
}

const fileOf = (entry: FileSystemEntry): Promise<File> =>
  new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: Promise<File>[] = [];
  // A reader gives its entries in batches until one is empty.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return Promise.all(files);
    files.push(...batch.filter((entry) => entry.isFile).map(fileOf));
  }
}

/** Files of a chosen folder; of those in folders within it the pooling of sentence-transformers alone. */
export const chosenFiles = (input: HTMLInputElement): File[] =>
  [...(input.files ?? [])].filter(
    ({ webkitRelativePath: path }) => path.split('/').length <= 2 || path.split('/').slice(1).join('/') === '1_Pooling/config.json',
  );

/** The folder's name, for the page. */
export const folderName = (files: readonly File[]): string =>
  files[0]?.webkitRelativePath.split('/')[0] ||
  files.find((file) => /\.(safetensors|bin)$/.test(file.name))?.name ||
  '';
