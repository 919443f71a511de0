// A model of one's own: a folder that is dropped or chosen, or a URL.

import { html, type TemplateResult } from 'lit';
import type { Strings } from './strings/index.js';

/** Files of folders within a folder are read this deep, and so many at most: a model's folder is small and flat. */
const DEEPEST = 3;
const MOST = 500;

/** All files of what was dropped, with their paths within it. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // What is not asked for at once is gone after the first wait.
  const dropped = [...transfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files: File[] = [];
  for (const entry of dropped) {
    if (entry instanceof File) files.push(entry);
    else if (entry) await gather(entry, 0, files);
  }
  return files;
}

async function gather(entry: FileSystemEntry, depth: number, files: File[]): Promise<void> {
  if (files.length >= MOST) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    // As files of a chosen folder have it; of what is dropped, only the entry knows the path.
    Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.replace(/^\//, '') });
    files.push(file);
    return;
  }
  if (depth === DEEPEST) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives its entries in batches until one is empty.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const inner of batch) await gather(inner, depth + 1, files);
  }
}

/** Those that were chosen in a field, which is emptied, so that the same may be chosen again. */
export function chosenFiles({ target }: Event): File[] {
  const input = target as HTMLInputElement;
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}

/** Whether what was dropped or chosen is a table of texts rather than a model: one file that no model is made of. */
export const isTable = (files: readonly File[]): boolean =>
  files.length === 1 &&
  !files[0]!.webkitRelativePath.includes('/') &&
  !/^config\.json$|\.(safetensors|bin|pt|onnx|model)$/i.test(files[0]!.name);

/** The folder's name, for the page. */
export const folderName = (files: readonly File[]): string =>
  (files[0]?.webkitRelativePath.includes('/') && files[0].webkitRelativePath.split('/')[0]) ||
  files.find((file) => /\.(safetensors|bin)$/.test(file.name))?.name ||
  files[0]?.name ||
  '';

/** The last part of the path that says something: of https://host/org/name/resolve/main/ the name. */
export function addressName(address: string): string {
  const parts = address.replace(/[?#].*$/, '').split('/').filter(Boolean);
  const resolve = parts.indexOf('resolve');
  return (resolve > 0 ? parts[resolve - 1] : parts.at(-1)) ?? address;
}

export interface OwnModelOptions {
  strings: Strings;
  /** What is typed into the field. */
  address: string;
  openFiles(files: readonly File[]): void;
  openAddress(address: string): void;
}

/** Where one says which model. */
export function ownModel({ strings, address, openFiles, openAddress }: OwnModelOptions): TemplateResult {
  const onChoose = (event: Event) => openFiles(chosenFiles(event));
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const typed = new FormData(event.target as HTMLFormElement).get('address');
    if (typeof typed === 'string' && typed.trim() !== '') openAddress(typed.trim());
  };
  return html`<section class="own" aria-label=${strings.ownModel}>
    <p>${strings.ownModelHow}</p>
    <p>
      <label class="button file">
        ${strings.ownModelChoose}<input
          class="sr"
          type="file"
          data-for="model"
          webkitdirectory
          multiple
          @change=${onChoose}
        />
      </label>
    </p>
    <form @submit=${onSubmit}>
      <label for="address">${strings.ownModelAddress}</label>
      <input
        id="address"
        name="address"
        type="text"
        inputmode="url"
        autocomplete="url"
        autocapitalize="off"
        spellcheck="false"
        placeholder="https://…/my-model/"
        .value=${address}
      />
      <button type="submit" class="button">${strings.ownModelLoad}</button>
    </form>
  </section>`;
}
