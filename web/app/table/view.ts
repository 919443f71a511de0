// <headlight-table>: a table of texts, read row by row. It is loaded when the first table is opened. In the document are
// never more rows than one page of them.

import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Model } from '../../src/types.js';
import { bars } from '../bars.js';
import { download } from '../save.js';
import { menu } from '../menu.js';
import { count, counted, fileSize, percent, phrase, say } from '../phrases.js';
import type { Task } from '../registry.js';
import { failureOf } from '../session.js';
import { failureBox } from '../status.js';
import type { Strings } from '../strings/index.js';
import { labelColumn, textColumn } from './columns.js';
import { TableError } from './error.js';
import { confusion } from './confusion.js';
import { openTable, type Table } from './reader.js';
import type { Filter, Order } from './results.js';
import { TableRun } from './run.js';
import { rowsTable, type ShownRow } from './rows.js';

/** Rows in the document at most. */
export const PAGE = 50;
/** Milliseconds between two looks at rows that are being read; longer where a look takes long. */
const PAUSE = 250;

const noFilter: Filter = { label: null, wrong: false, order: 'file' };

export class HeadlightTable extends LitElement {
  static override properties = {
    file: { attribute: false },
    model: { attribute: false },
    task: { attribute: false },
    strings: { attribute: false },
    status: { attribute: false },
  };

  declare file: File;
  /** null before it is here. */
  declare model: Model | null;
  declare task: Task;
  declare strings: Strings;
  /** What the model is at. */
  declare status: TemplateResult;

  private table: Table | null = null;
  private columns: { text: number | null; label: number | null } = { text: null, label: null };
  private run: TableRun | null = null;
  private running: AbortController | null = null;
  private searching: AbortController | null = null;
  private problem: unknown = null;
  private filter: Filter = noFilter;
  private selected: Uint32Array = new Uint32Array(0);
  private page = 0;
  private shown: readonly ShownRow[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds that the last look took. */
  private took = 0;

  // The page's own style sheet styles it.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('file')) void this.open();
    // What another model made of the rows is not this one's.
    else if (changed.has('model') || changed.has('task')) this.guessColumns();
  }

  private async open(header?: boolean): Promise<void> {
    const { file } = this;
    this.table = null;
    this.reset();
    try {
      const table = await openTable(file, header);
      if (file !== this.file) return;
      this.table = table;
      this.guessColumns();
    } catch (error) {
      if (file === this.file) this.problem = error;
    }
    this.requestUpdate();
  }

  /** What a column of right answers would be compared with. */
  private get labels(): readonly string[] {
    return (this.model && this.task.table?.labels(this.model.info)) ?? [];
  }

  private guessColumns(): void {
    this.reset();
    if (!this.table) return;
    const { columns, sample } = this.table;
    const text = textColumn(columns, sample);
    this.columns = { text, label: labelColumn(columns, sample, this.labels, text) };
    if (text === null) this.problem ??= new TableError('noText');
  }

  private reset(): void {
    this.stop();
    this.run = null;
    this.problem = this.table?.problem ?? null;
    this.filter = noFilter;
    this.selected = new Uint32Array(0);
    this.shown = [];
    this.page = 0;
  }

  private setColumns(change: Partial<HeadlightTable['columns']>): void {
    this.reset();
    this.columns = { ...this.columns, ...change };
    this.requestUpdate();
  }

  // ---------------------------------------------------------------------------------------------
  // Reading

  private async read(): Promise<void> {
    const { table, model, task, columns } = this;
    if (!table || !model || columns.text === null) return;
    this.problem = table.problem;
    this.run ??= new TableRun(table, { text: columns.text, label: columns.label }, model, task, () => this.later());
    const { run } = this;
    const { signal } = (this.running = new AbortController());
    this.requestUpdate();
    try {
      await run.read(signal);
    } catch (error) {
      if (!signal.aborted) this.problem = error;
    }
    if (signal.aborted) return;
    this.running = null;
    await this.look();
  }

  private stop(): void {
    this.running?.abort();
    this.running = null;
    this.searching?.abort();
    this.requestUpdate();
  }

  private later(): void {
    this.timer ??= setTimeout(() => void this.look(), Math.max(PAUSE, this.took * 10));
  }

  /** Shows what was read so far. */
  private async look(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { run } = this;
    if (!run) return;
    const start = performance.now();
    this.selected = run.results.select(this.filter);
    this.took = performance.now() - start;
    this.page = Math.max(0, Math.min(this.page, Math.ceil(this.selected.length / PAGE) - 1));
    const rows = [...this.selected.subarray(this.page * PAGE, (this.page + 1) * PAGE)];
    const known = new Map(this.shown.map((row) => [row.row, row.text]));
    const shown = await Promise.all(
      rows.map(async (row) => ({ row, text: known.get(row) ?? (await run.text(row)), ...run.results.at(row) })),
    );
    if (run !== this.run) return;
    this.shown = shown.map((row) => ({
      ...row,
      right: run.labels[row.right] ?? null,
      wrong: run.results.isWrong(row.row),
    }));
    this.requestUpdate();
  }

  private choose(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.page = 0;
    void this.look();
  }

  private async search(query: string): Promise<void> {
    this.searching?.abort();
    const { signal } = (this.searching = new AbortController());
    this.page = 0;
    try {
      await this.run?.search(query, signal);
      await this.look();
    } catch (error) {
      if (!signal.aborted) this.problem = error;
      this.requestUpdate();
    }
  }

  private async save(): Promise<void> {
    const { run } = this;
    if (!run) return;
    try {
      const blob = await run.csv(this.selected, new AbortController().signal);
      download(blob, `${run.table.name.replace(/\.\w+$/, '')}-headlight.csv`);
    } catch (error) {
      this.problem = error;
      this.requestUpdate();
    }
  }

  // ---------------------------------------------------------------------------------------------
  // Layout

  protected override render(): TemplateResult {
    const { strings, file, table } = this;
    const words = strings.table;
    return html`<section class="table-head" aria-label=${words.title}>
        <h2><bdi>${file.name}</bdi> <span class="quiet number">${fileSize(file.size)}</span></h2>
        <button type="button" class="plain" @click=${() => this.dispatchEvent(new CustomEvent('headlight-close'))}>
          ${words.close}
        </button>
      </section>
      ${table ? this.renderColumns(table) : nothing} ${this.renderReading()} ${this.renderProblem()}
      ${this.run ? this.renderRun(this.run) : table ? this.renderSample(table) : nothing}`;
  }

  private renderColumns(table: Table): TemplateResult {
    const { strings, columns, labels } = this;
    const options = table.columns.map((name, value) => ({ value, name }));
    const onHeader = (event: Event) => void this.open((event.target as HTMLInputElement).checked);
    const sentence = labels.length > 0 ? strings.table.sentence : strings.table.sentenceAlone;
    return html`<section class="table-columns">
      <p class="sentence">${phrase(sentence, {
        text: menu({
          label: strings.table.textColumn,
          value: columns.text ?? 0,
          options,
          choose: (text) => this.setColumns({ text }),
        }),
        label: menu({
          label: strings.table.labelColumn,
          value: columns.label ?? -1,
          options: [{ value: -1, name: strings.table.noColumn }, ...options],
          choose: (label) => this.setColumns({ label: label < 0 ? null : label }),
        }),
      })}</p>
      ${
        table.format.names === null
          ? html`<label class="switch"
              ><input type="checkbox" .checked=${table.header} @change=${onHeader} /> ${strings.table.header}</label
            >`
          : nothing
      }
    </section>`;
  }

  private renderReading(): TemplateResult {
    const { strings, run, running, table, model, task, columns, status } = this;
    const words = strings.table;
    const ready = table !== null && model !== null && task.table !== undefined && columns.text !== null;
    const rows = run?.results.size ?? 0;
    const share = run ? run.bytes / Math.max(1, this.file.size) : 0;
    const ended = run !== null && (run.complete || run.broken);
    return html`<section class="table-reading" aria-label=${words.progress}>
      <p>
        ${
          ended
            ? nothing
            : html`<button
                type="button"
                class="button"
                ?disabled=${!ready}
                @click=${() => (running ? this.stop() : void this.read())}
              >
                ${running ? strings.stop : rows > 0 ? words.goOn : words.read}
              </button>`
        }
        ${ended ? nothing : html`<progress max="1" .value=${share} aria-label=${words.progress}></progress>`}
        <span class="number" role="status">${
          run?.complete
            ? counted(words.done, rows)
            : run?.broken
              ? counted(words.doneBefore, rows)
              : run
                ? counted(words.soFar, rows, { share: percent(share) })
                : words.notYet
        }</span>
      </p>
      ${model && !task.table ? html`<p>${words.noTask}</p>` : nothing} ${model ? nothing : status}
    </section>`;
  }

  private renderProblem(): TemplateResult | typeof nothing {
    const { strings, problem } = this;
    if (problem === null) return nothing;
    if (!(problem instanceof TableError)) {
      const { message, advice } = failureOf(problem);
      return failureBox(strings, { title: strings.errorTitle, message, where: '', advice });
    }
    const { problem: kind, line, row } = problem;
    const words = strings.table;
    const { what, advice } = words.problems[kind];
    const places = [
      ...(row === null ? [] : [say(words.rowN, { n: count(row) })]),
      ...(line === null ? [] : [say(words.line, { n: count(line) })]),
    ];
    const before = (row ?? 1) - 1;
    const message = before === 0 || this.run?.broken ? '' : counted(words.before, before);
    return failureBox(strings, { title: what, message, where: places.join(strings.comma), advice });
  }

  /** The first texts, so that one sees whether the column is right. */
  private renderSample(table: Table): TemplateResult {
    const { strings, columns } = this;
    const { text, label } = columns;
    if (text === null) return html``;
    const rows = table.sample.slice(0, 8).map((cells, row) => ({
      row,
      text: cells[text] ?? '',
      right: label === null ? null : (cells[label] ?? ''),
      wrong: false,
      label: '',
      score: null,
      spans: [],
    }));
    return rowsTable({ rows, strings, compared: label !== null, open: null });
  }

  private renderRun(run: TableRun): TemplateResult {
    const { strings, filter, selected, page } = this;
    const words = strings.table;
    const { results } = run;
    const counts = results.counts();
    const from = page * PAGE;
    const to = Math.min(selected.length, from + PAGE);
    const onQuery = (event: Event) => void this.search((event.target as HTMLInputElement).value);
    const turn = (by: number) => {
      this.page += by;
      void this.look();
    };
    return html`<section class="table-summary" aria-label=${words.summary}>
        ${bars(
          counts.slice(0, 6).map(({ label, count: rows }) => ({
            name: results.labels[label] || words.none,
            score: rows / Math.max(1, results.size),
            written: count(rows),
            choose: () => this.choose({ label: filter.label === label ? null : label }),
            current: filter.label === label,
          })),
          words.byLabel,
        )}
        ${run.labels.length > 0 ? confusion({ results, labels: run.labels, strings }) : nothing}
      </section>
      ${run.unread > 0 ? html`<p class="quiet">${counted(words.unread, run.unread)}</p>` : nothing}
      ${
        run.ragged.count > 0
          ? html`<p class="quiet">${counted(words.ragged, run.ragged.count, { line: count(run.ragged.line) })}</p>`
          : nothing
      }
      <section class="table-filter" aria-label=${words.filter}>
        <p class="sentence">${phrase(words.filterSentence, {
          label: menu({
            label: words.label,
            value: filter.label ?? -1,
            options: [
              { value: -1, name: words.allLabels },
              ...counts.slice(0, 200).map(({ label }) => ({ value: label, name: results.labels[label] || words.none })),
            ],
            choose: (label) => this.choose({ label: label < 0 ? null : label }),
          }),
          order: menu<Order>({
            label: words.order,
            value: filter.order,
            options: [
              { value: 'file', name: words.orderFile },
              { value: 'unsure', name: words.orderUnsure },
              { value: 'sure', name: words.orderSure },
            ],
            choose: (order) => this.choose({ order }),
          }),
        })}</p>
        <p class="table-tools">
          <input type="search" placeholder=${words.find} aria-label=${words.find} @input=${onQuery} />
          ${
            run.labels.length > 0
              ? html`<label class="switch"
                  ><input
                    type="checkbox"
                    .checked=${filter.wrong}
                    @change=${(event: Event) => this.choose({ wrong: (event.target as HTMLInputElement).checked })}
                  />
                  ${words.wrong}</label
                >`
              : nothing
          }
          <span class="pager">
            <button type="button" class="plain" ?disabled=${page === 0} @click=${() => turn(-1)}>${words.previous}</button>
            <span class="number">${say(words.showing, {
              from: count(Math.min(from + 1, to)),
              to: count(to),
              n: count(selected.length),
            })}</span>
            <button type="button" class="plain" ?disabled=${to >= selected.length} @click=${() => turn(1)}>
              ${words.next}
            </button>
          </span>
          <button type="button" class="plain" ?disabled=${selected.length === 0} @click=${() => void this.save()}>
            ${words.save}
          </button>
        </p>
      </section>
      ${rowsTable({
        rows: this.shown,
        strings,
        compared: run.labels.length > 0,
        open: (text) => this.dispatchEvent(new CustomEvent('headlight-row', { detail: text })),
      })}`;
  }
}

customElements.define('headlight-table', HeadlightTable);

declare global {
  interface HTMLElementTagNameMap {
    'headlight-table': HeadlightTable;
  }
}
