// <headlight-app>: the page. It holds the state, hands it to the views, and lays them out.

import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { light, mapsOf, type Choice } from '../src/elements/index.js';
import { controls } from './controls.js';
import { firstLight, type FirstLight } from './first-light.js';
import { footer } from './footer.js';
import { inputs } from './inputs.js';
import { addressName, droppedFiles, folderName, isTable, ownModel } from './own-model.js';
import {
  demoOf,
  fieldNames,
  fieldsOf,
  isFilled,
  tasks,
  views,
  type AnswerContext,
  type Context,
  type Demo,
  type Fields,
  type Reading,
  type Task,
  type View,
} from './registry.js';
import { Session, type Read, type Source } from './session.js';
import { initialState, keepFields, keptFields, readFragment, writeFragment, type State } from './state.js';
import { status } from './status.js';
import { strings as allStrings, type Strings } from './strings/index.js';
import { modelSwitch } from './switch.js';
import { entryOf, languageOf, tokenAt, unitsOf } from './units.js';

/** A table that was opened; hidden while one looks at a text by itself. */
interface OpenTable {
  file: File;
  shown: boolean;
}

/** One strip of heads instead of a grid beside the text. */
const NARROW = '(max-width: 899px)';

const sameFields = (a: Fields, b: Fields): boolean => JSON.stringify(a) === JSON.stringify(b);
/** Of a model of one's own, where a link has one. */
const addressOfModel = (): string | null => new URLSearchParams(location.search).get('model') || null;
const taskOf = (id: string): Task => tasks.find((task) => task.id === id) ?? tasks[0]!;

export class HeadlightApp extends LitElement {
  static override properties = {
    state: { state: true },
    fields: { state: true },
    reading: { state: true },
    previewed: { state: true },
    narrow: { state: true },
    linked: { state: true },
    notice: { state: true },
    own: { state: true },
    choosing: { state: true },
    table: { state: true },
  };

  declare private state: State;
  /** `state` within the bounds of the model. */
  private resolved: State;
  declare private fields: Fields;
  declare private reading: Reading | null;
  /** What the pointer is on. */
  declare private previewed: Pick<State, 'layer' | 'head'> | null;
  declare private narrow: boolean;
  /** The text is in the address, since it came from there. */
  declare private linked: boolean;
  /** What was just done, for a moment. */
  declare private notice: string;
  /** A model of one's own in place of the demo's. */
  declare private own: { name: string; source: Source } | null;
  /** The place where one chooses it is open. */
  declare private choosing: boolean;
  declare private table: OpenTable | null;

  /** What the fields were typed for. */
  private typedFor: Task;
  private readonly session: Session;

  constructor() {
    super();
    const { state, fields } = readFragment(location.hash, initialState());
    const demo = demoOf(state.demo);
    this.state = state;
    this.resolved = state;
    this.linked = fields !== null;
    this.fields = fields ? fieldsOf({ name: '', fields }) : (keptFields(demo.id) ?? fieldsOf(demo.examples[0]!));
    this.reading = null;
    this.previewed = null;
    this.narrow = matchMedia(NARROW).matches;
    this.notice = '';
    this.choosing = false;
    this.table = null;
    const address = addressOfModel();
    this.own = address === null ? null : { name: addressName(address), source: address };
    this.typedFor = taskOf(demo.task);
    this.session = new Session(
      this.typedFor,
      () => this.requestUpdate(),
      () => this.onOpened(),
      (read) => this.take(read, read.milliseconds),
    );
    const stored = firstLight();
    if (!this.own && stored.demo === demo.id && sameFields(this.fields, stored.fields)) this.take(stored, null);
  }

  // The page's own style sheet styles it.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    matchMedia(NARROW).addEventListener('change', ({ matches }) => (this.narrow = matches));
    addEventListener('popstate', () => this.followAddress());
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => void this.onDrop(event));
    this.session.submit(this.fields);
    this.load();
  }

  private get task(): Task {
    return this.session.task;
  }

  private get strings(): Strings {
    return allStrings[this.state.language];
  }

  private get demo(): Demo {
    return demoOf(this.state.demo);
  }

  /** What typed texts are kept by. */
  private get key(): string {
    return this.own ? `task:${this.task.id}` : this.demo.id;
  }

  /** Those that fill no field which is not there. */
  private get examples(): Task['examples'] {
    const all = this.own || this.demo.task !== this.task.id ? this.task.examples : this.demo.examples;
    const shown = this.task.fields(this.session.info).map(({ name }) => name);
    return all.filter(({ fields }) => fieldNames.every((name) => !fields[name] || shown.includes(name)));
  }

  private take({ task, fields, result }: Read | FirstLight, milliseconds: number | null): void {
    const units = unitsOf(result.attention, this.state.pieces);
    this.reading = { ...result, task, fields, maps: mapsOf(result.attention), units, milliseconds };
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    if (change.pieces !== undefined && this.reading) {
      this.reading = { ...this.reading, units: unitsOf(this.reading.attention, change.pieces) };
    }
    this.writeAddress();
  }

  private writeAddress(): void {
    const search = typeof this.own?.source === 'string' ? `?model=${encodeURIComponent(this.own.source)}` : '';
    const other = new URLSearchParams(location.search);
    other.delete('model');
    const rest = other.toString();
    const query = rest ? `${search ? `${search}&` : '?'}${rest}` : search;
    const fragment = writeFragment(this.state, this.linked ? this.fields : null);
    history.replaceState(null, '', location.pathname + query + fragment);
  }

  private followAddress(): void {
    const { state, fields } = readFragment(location.hash, initialState());
    const address = addressOfModel();
    const moves = state.demo !== this.state.demo || (address === null && typeof this.own?.source === 'string');
    const opens = address !== null && address !== this.own?.source;
    this.state = state;
    if (opens) this.openOwn(address, addressName(address));
    else if (moves) this.chooseDemo(this.demo);
    this.set(state);
    if (fields) this.type(fieldsOf({ name: '', fields }), true);
  }

  /** New texts, typed or from a link. */
  private type(fields: Fields, linked = false): void {
    this.fields = fields;
    this.linked = linked;
    keepFields(this.key, fields);
    this.writeAddress();
    this.session.submit(fields);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('state') || changed.has('reading')) this.resolved = this.resolve();
    document.documentElement.lang = this.state.language === 'zh' ? 'zh-Hans' : 'en';
  }

  /** The state within the bounds of the reading's model. */
  private resolve(): State {
    if (!this.reading) return this.state;
    const { maps, look = 0 } = this.reading;
    const within = (choice: Choice, count: number): Choice =>
      choice === 'all' ? 'all' : Math.min(choice, count - 1);
    const { layer, head, query } = this.state;
    const secondToLast = Math.max(0, maps.layers - 2);
    return {
      ...this.state,
      layer: within(layer === 'default' ? secondToLast : layer, maps.layers),
      head: within(head, maps.heads),
      query: query === 'default' ? look : query,
    };
  }

  /** Everything a view needs, or null without a reading. */
  private context(): Context | null {
    const { reading, strings, resolved: state } = this;
    if (!reading) return null;
    const { maps, units } = reading;
    const query = entryOf(units, state.query as number);
    const shown = this.previewed ?? { layer: state.layer, head: state.head };
    return {
      reading,
      state,
      strings,
      shown,
      query,
      stale: this.session.busy && !sameFields(reading.fields, this.fields),
      narrow: this.narrow,
      light: light(maps, {
        layer: shown.layer as Choice,
        head: shown.head,
        query: units.groups[query]!,
        groups: units.groups,
        lit: units.lit,
        scale: state.scale,
      }),
      set: (change) => this.set(change),
      preview: (previewed) => (this.previewed = previewed),
    };
  }

  // ---------------------------------------------------------------------------------------------
  // Layout

  protected override render(): TemplateResult {
    const { strings, state, own, choosing } = this;
    const other = state.language === 'zh' ? 'en' : 'zh';
    return html`
      <header>
        <h1>${strings.title}</h1>
        <p>${strings.lead}</p>
        <button type="button" class="plain" lang=${other} @click=${() => this.set({ language: other })}>
          ${allStrings[other].language}
        </button>
      </header>
      ${modelSwitch({
        strings,
        state,
        ownName: own?.name ?? '',
        open: choosing,
        choose: (demo) => {
          history.pushState(null, '', location.href);
          this.chooseDemo(demo);
        },
        toggle: () => (this.choosing = !choosing),
      })}
      ${
        choosing
          ? ownModel({
              strings,
              address: typeof own?.source === 'string' ? own.source : '',
              openFiles: (files) => this.openFiles(files),
              openAddress: (address) => this.openOwn(address, addressName(address)),
            })
          : nothing
      }
      <main>${this.renderMain()}</main>
      ${footer({
        strings,
        notice: this.notice,
        copyLink: () => void this.copyLink(),
        forgot: () => keepFields(this.key, this.fields),
      })}
    `;
  }

  private renderMain(): TemplateResult {
    const { table } = this;
    return html`${table ? this.renderTable(table) : nothing} ${table?.shown ? nothing : this.renderOne()}`;
  }

  /** One text, and what a task makes of it. */
  private renderOne(): TemplateResult {
    const { session, strings, task, table } = this;
    return html`${inputs({
        strings,
        fitting: session.fitting,
        task,
        shown: task.fields(session.info),
        fields: this.fields,
        examples: this.examples,
        choose: (other) => this.chooseTask(other),
        write: (fields) => this.type({ ...this.fields, ...fields }),
        take: (example) => this.type(fieldsOf(example)),
        openTable: (files) => this.openFiles([...files]),
        backToTable: table ? () => (this.table = { ...table, shown: true }) : null,
      })}
      ${isFilled(task, session.info, this.fields) ? this.renderText() : this.renderEmpty()}`;
  }

  private renderTable(table: OpenTable): TemplateResult {
    const { session, strings, task } = this;
    const onRow = ({ detail: text }: CustomEvent<string>) => {
      this.table = { ...table, shown: false };
      this.type({ ...this.fields, text });
    };
    // It keeps what it has read while one looks at a text by itself.
    return html`<headlight-table
      ?hidden=${!table.shown}
      .file=${table.file}
      .model=${session.loaded}
      .task=${task}
      .strings=${strings}
      .status=${this.renderStatus()}
      @headlight-row=${onRow}
      @headlight-close=${() => (this.table = null)}
    ></headlight-table>`;
  }

  private renderEmpty(): TemplateResult {
    const { strings } = this;
    return html`<section class="answer" aria-label=${strings.verdict}>${this.renderStatus()}</section>
      <p class="empty">${strings.empty}</p>`;
  }

  private renderText(): TemplateResult {
    const { strings, resolved, narrow, fields, session, task } = this;
    const context = this.reading?.task === task ? this.context() : null;
    // A text that nobody reads yet is there, unlit; the heads keep their space.
    const unread = session.failure !== null || session.model.phase !== 'ready';
    if (!context || (unread && !sameFields(context.reading.fields, fields))) {
      return html`${this.renderAnswer(null)}
        <section class="lit">
          <headlight-text
            .text=${fields.text}
            lang=${languageOf(fields.text) || nothing}
            .strings=${strings.text}
          ></headlight-text>
        </section>
        <div class="side">
          <section class="heads">
            <h2>${strings.headsTitle}</h2>
            <headlight-heads .strip=${narrow} .strings=${strings.heads}></headlight-heads>
          </section>
        </div>`;
    }
    // What does not follow the pointer is not made anew while it moves.
    const still = [context.reading, resolved, strings, narrow];
    const at = (place: View['place']) => views.filter((view) => view.place === place);
    const sentence = guard(still, () => controls(context));
    return html`
      ${this.renderAnswer(context)} ${narrow ? nothing : sentence} ${at('main').map((view) => view.render(context))}
      <div class="side">${guard(still, () => at('side').map((view) => view.render(context)))}</div>
      ${narrow ? sentence : nothing} ${guard(still, () => this.renderBelow(context, at('below')))}
    `;
  }

  private renderAnswer(context: Context | null): TemplateResult {
    const { strings, task } = this;
    const reading = context?.reading;
    const given: AnswerContext = {
      answer: reading?.answer ?? null,
      fields: reading?.fields ?? this.fields,
      strings,
      query: reading ? (this.resolved.query as number) : null,
      tokenAt: (unit) => (reading ? tokenAt(reading.attention, unit) : null),
      look: (query) => this.set({ query }),
      write: (fields) => this.type({ ...this.fields, ...fields }),
    };
    const stale = context?.stale ? 'stale' : '';
    return html`<section class="answer" aria-label=${strings.verdict}>
      <div class=${stale} aria-live="polite">${task.verdict(given)}</div>
      ${task.details ? html`<div class=${stale}>${task.details(given)}</div>` : nothing} ${this.renderStatus()}
    </section>`;
  }

  private renderStatus(): TemplateResult {
    const { session, strings, fields } = this;
    const reading = isFilled(this.task, session.info, fields) ? this.reading : null;
    return html`<div class="status">
      ${status({
        session,
        strings,
        reading,
        current: reading !== null && sameFields(reading.fields, fields),
        modelName: this.own?.name ?? '',
        again: () => session.submit(fields),
        demoModel: () => this.chooseDemo(this.demo),
      })}
    </div>`;
  }

  private renderBelow(context: Context, below: readonly View[]): TemplateResult {
    const { strings } = this;
    const current = below.find(({ id }) => id === context.state.map) ?? below[0]!;
    return html`<div class="below">
      <nav aria-label=${strings.maps}>
        ${below.map(
          (view) => html`<button
            type="button"
            class="tab"
            aria-pressed=${view === current ? 'true' : 'false'}
            @click=${() => this.set({ map: view.id })}
          >
            ${view.title(strings, context.state)}
          </button>`,
        )}
      </nav>
      ${current.render(context)}
    </div>`;
  }

  // ---------------------------------------------------------------------------------------------
  // Links

  private async copyLink(): Promise<void> {
    const link = new URL(location.href);
    link.hash = writeFragment(this.state, this.fields);
    try {
      await navigator.clipboard.writeText(link.href);
      this.tell(this.strings.copied);
    } catch {
      this.linked = true;
      this.writeAddress();
      this.tell(this.strings.copyFailed);
    }
  }

  private tell(notice: string): void {
    this.notice = notice;
    setTimeout(() => (this.notice = ''), 6000);
  }

  // ---------------------------------------------------------------------------------------------
  // Models and tasks

  /** Loads another model; what the model before made of the text goes, so that it is never taken for the new one's. */
  private change(): void {
    this.reading = null;
    this.choosing = false;
    this.writeAddress();
    this.session.submit(this.fields);
    this.load();
  }

  private load(): void {
    void this.session.open(this.own?.source ?? this.demo.model, this.state.task || this.task.id);
  }

  private chooseDemo(demo: Demo): void {
    this.own = null;
    this.linked = false;
    this.session.task = this.typedFor = taskOf(demo.task);
    this.state = { ...this.state, demo: demo.id, task: '', query: 'default' };
    this.fields = keptFields(demo.id) ?? fieldsOf(demo.examples[0]!);
    this.change();
  }

  private openOwn(source: Source, name: string): void {
    this.own = { name, source };
    this.state = { ...this.state, task: '', query: 'default' };
    this.change();
  }

  /** The model is here. The same task goes on with what is typed; another one has a text of its own. */
  private onOpened(): void {
    if (this.task !== this.typedFor) this.newTask();
    this.session.submit(this.fields);
  }

  private chooseTask(task: Task): void {
    this.session.task = task;
    this.reading = null;
    this.newTask();
    this.set({ task: task.id, query: 'default' });
    this.session.submit(this.fields);
  }

  private newTask(): void {
    const { task, fields, session } = this;
    this.typedFor = task;
    const goesOn = this.linked && isFilled(task, session.info, fields);
    this.fields = goesOn ? fields : (keptFields(this.key) ?? fieldsOf(this.examples[0]!));
  }

  private async onDrop(event: DragEvent): Promise<void> {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.openFiles(await droppedFiles(event.dataTransfer));
  }

  private openFiles(files: readonly File[]): void {
    if (files.length === 0) this.tell(this.strings.ownModelNone);
    else if (isTable(files)) void this.openTable(files[0]!);
    else this.openOwn(files, folderName(files));
  }

  private async openTable(file: File): Promise<void> {
    await import('./table/view.js');
    this.table = { file, shown: true };
  }
}
