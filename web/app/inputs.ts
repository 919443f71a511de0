// The boxes that are typed into, and the examples that fill them.

import { html, nothing, type TemplateResult } from 'lit';
import { menu } from './menu.js';
import { chosenFiles } from './own-model.js';
import { phrase } from './phrases.js';
import type { Example, Field, Fields, Task } from './registry.js';
import type { Strings } from './strings/index.js';
import { languageOf } from './units.js';

export interface InputOptions {
  strings: Strings;
  /** Those that fit the model. */
  fitting: readonly Task[];
  task: Task;
  shown: readonly Field[];
  fields: Fields;
  examples: readonly Example[];
  choose(task: Task): void;
  write(fields: Partial<Fields>): void;
  /** Takes an example whole. */
  take(example: Example): void;
  /** Opens a table. */
  openTable(files: readonly File[]): void;
  /** null: none was opened. */
  backToTable: (() => void) | null;
}

export function inputs(options: InputOptions): TemplateResult {
  const { strings, fitting, task, shown, examples, choose, take, openTable, backToTable } = options;
  const onTable = (event: Event) => {
    const files = chosenFiles(event);
    if (files.length > 0) openTable(files);
  };
  return html`<section class="input">
    ${
      fitting.length > 1
        ? html`<p class="sentence task">${phrase(strings.taskSentence, {
            task: menu({
              label: strings.task,
              value: task.id,
              options: fitting.map(({ id, name }) => ({ value: id, name: name(strings) })),
              choose: (id) => choose(fitting.find((other) => other.id === id)!),
            }),
          })}</p>`
        : nothing
    }
    ${shown.map((field) => box(field, options))}
    <div class="examples">
      ${
        examples.length > 0
          ? html`<span>${strings.examples}</span> ${examples.map(
              (example) => html`<button
                type="button"
                class="plain"
                lang=${languageOf(example.name) || 'en'}
                @click=${() => take(example)}
              >
                ${example.name}
              </button>`,
            )}`
          : nothing
      }
      ${
        task.table
          ? html`<label class="plain file">
              ${strings.table.open}<input
                class="sr"
                type="file"
                data-for="table"
                accept=".csv,.tsv,.tab,.txt,.jsonl,.ndjson,text/csv,text/tab-separated-values"
                @change=${onTable}
              />
            </label>`
          : nothing
      }
      ${
        backToTable
          ? html`<button type="button" class="plain" @click=${backToTable}>${strings.table.back}</button>`
          : nothing
      }
    </div>
  </section>`;
}

function box(
  { name, label, line, optional, insert }: Field,
  { strings, shown, fields, write }: InputOptions,
): TemplateResult {
  const value = fields[name];
  const onInput = (event: Event) => write({ [name]: (event.target as HTMLTextAreaElement).value });
  const onInsert = (event: Event) => {
    const area = (event.currentTarget as Element).closest('.box')!.querySelector('textarea')!;
    area.setRangeText(insert!.text, area.selectionStart, area.selectionEnd, 'end');
    write({ [name]: area.value });
    area.focus();
  };
  return html`<div class="box">
    <label for=${name} class=${shown.length > 1 ? '' : 'sr'}>
      ${label(strings)} ${optional ? html`<span class="quiet">${strings.optional}</span>` : nothing}
    </label>
    <textarea
      id=${name}
      dir="auto"
      lang=${languageOf(value) || nothing}
      class=${line ? 'line' : ''}
      rows=${line || shown.length > 1 ? 1 : 2}
      spellcheck="false"
      placeholder=${strings.placeholder}
      .value=${value}
      @input=${onInput}
    ></textarea>
    ${
      insert
        ? html`<button type="button" class="plain" @click=${onInsert}>${insert.name(strings)}</button>`
        : nothing
    }
  </div>`;
}
