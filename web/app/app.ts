// <headlight-app>: the page. It holds the state, hands it to the views, and lays them out.

import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { light, mapsOf, type Choice } from '../src/elements/index.js';
import { controls } from './controls.js';
import { firstLight } from './first-light.js';
import { chosenFiles, droppedFiles, folderName } from './own-model.js';
import { tasks, views, type Context, type Reading, type TaskResult, type View } from './registry.js';
import { Session } from './session.js';
import {
  initialState,
  keepText,
  keepsText,
  keptText,
  readFragment,
  setKeepsText,
  writeFragment,
  type State,
} from './state.js';
import { status } from './status.js';
import { strings as allStrings, type Strings } from './strings/index.js';
import { entryOf, languageOf, unitsOf } from './units.js';

/** One strip of heads instead of a grid beside the text. */
const NARROW = '(max-width: 899px)';

export class HeadlightApp extends LitElement {
  static override properties = {
    state: { state: true },
    text: { state: true },
    reading: { state: true },
    previewed: { state: true },
    narrow: { state: true },
    linked: { state: true },
    notice: { state: true },
    modelName: { state: true },
  };

  declare private state: State;
  /** `state` within the bounds of the model. */
  private resolved: State;
  declare private text: string;
  declare private reading: Reading | null;
  /** What the pointer is on. */
  declare private previewed: Pick<State, 'layer' | 'head'> | null;
  declare private narrow: boolean;
  /** The text is in the address, since it came from there. */
  declare private linked: boolean;
  /** What was just done, for a moment. */
  declare private notice: string;
  /** Of a model of one's own; empty: the demo model. */
  declare private modelName: string;

  private readonly session = new Session(
    () => this.requestUpdate(),
    (read) => this.take(read, read.milliseconds),
  );

  constructor() {
    super();
    const stored = firstLight();
    const { state, text } = readFragment(location.hash, initialState());
    this.state = state;
    this.resolved = state;
    this.linked = text !== null;
    this.text = text ?? keptText() ?? stored.text;
    this.reading = null;
    this.previewed = null;
    this.narrow = matchMedia(NARROW).matches;
    this.notice = '';
    this.modelName = '';
    if (this.text === stored.text) this.take(stored, null);
  }

  // The page's own style sheet styles it.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    matchMedia(NARROW).addEventListener('change', ({ matches }) => (this.narrow = matches));
    addEventListener('hashchange', () => this.followAddress());
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => void this.onDrop(event));
    this.session.submit(this.text);
    void this.session.open(new URLSearchParams(location.search).get('model') ?? this.task.model);
  }

  private get task() {
    return this.session.task ?? tasks.find(({ id }) => id === this.state.task) ?? tasks[0]!;
  }

  private get strings(): Strings {
    return allStrings[this.state.language];
  }

  private take(result: TaskResult & { text: string }, milliseconds: number | null): void {
    const maps = mapsOf(result.attention);
    this.reading = { ...result, maps, units: unitsOf(result.attention, this.state.pieces), milliseconds };
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    if (change.pieces !== undefined && this.reading) {
      this.reading = { ...this.reading, units: unitsOf(this.reading.attention, change.pieces) };
    }
    this.writeAddress();
  }

  private writeAddress(): void {
    history.replaceState(
      null,
      '',
      writeFragment(this.state, this.linked ? this.text : null) || location.pathname + location.search,
    );
  }

  private followAddress(): void {
    const { state, text } = readFragment(location.hash, initialState());
    this.set(state);
    if (text !== null) this.type(text, true);
  }

  /** A new text, typed or from a link. */
  private type(text: string, linked = false): void {
    this.text = text;
    this.linked = linked;
    keepText(text);
    this.writeAddress();
    this.session.submit(text);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('state') || changed.has('reading')) this.resolved = this.resolve();
    document.documentElement.lang = this.state.language === 'zh' ? 'zh-Hans' : 'en';
  }

  /** The state within the bounds of the reading's model. */
  private resolve(): State {
    const maps = this.reading?.maps;
    if (!maps) return this.state;
    const within = (choice: Choice, count: number): Choice =>
      choice === 'all' ? 'all' : Math.min(choice, count - 1);
    const { layer, head } = this.state;
    const secondToLast = Math.max(0, maps.layers - 2);
    return {
      ...this.state,
      layer: within(layer === 'default' ? secondToLast : layer, maps.layers),
      head: within(head, maps.heads),
    };
  }

  /** Everything a view needs, or null without a reading. */
  private context(): Context | null {
    const { reading, strings, resolved: state } = this;
    if (!reading) return null;
    const { maps, units } = reading;
    const query = entryOf(units, state.query);
    const shown = this.previewed ?? { layer: state.layer, head: state.head };
    return {
      reading,
      state,
      strings,
      shown,
      query,
      stale: this.session.busy && reading.text !== this.text,
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
    const { strings } = this;
    const other = this.state.language === 'zh' ? 'en' : 'zh';
    return html`
      <header>
        <h1>${strings.title}</h1>
        <p>${strings.lead}</p>
        <button type="button" class="plain" lang=${other} @click=${() => this.set({ language: other })}>
          ${allStrings[other].language}
        </button>
      </header>
      <main>${this.renderInput()} ${this.text.trim() === '' ? this.renderEmpty() : this.renderText()}</main>
      <footer>${this.renderFooter()}</footer>
    `;
  }

  private renderEmpty(): TemplateResult {
    const { strings } = this;
    return html`<section class="answer" aria-label=${strings.verdict}>${this.renderStatus()}</section>
      <p class="empty">${strings.empty}</p>`;
  }

  private renderText(): TemplateResult {
    const context = this.context();
    const { strings, resolved, narrow, text } = this;
    // A text that nobody reads yet is there, unlit; the heads keep their space.
    const unread = this.session.failure !== null || this.session.model.phase !== 'ready';
    if (!context || (unread && context.reading.text !== text)) {
      return html`${this.renderAnswer(null)}
        <section class="lit">
          <headlight-text
            .text=${text}
            lang=${languageOf(text) || nothing}
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

  private renderInput(): TemplateResult {
    const { strings } = this;
    const onInput = (event: Event) => this.type((event.target as HTMLTextAreaElement).value);
    return html`<section class="input">
      <label for="text" class="sr">${strings.yourText}</label>
      <textarea
        id="text"
        dir="auto"
        lang=${languageOf(this.text) || nothing}
        rows="2"
        spellcheck="false"
        placeholder=${strings.placeholder}
        .value=${this.text}
        @input=${onInput}
      ></textarea>
      <div class="examples">
        <span>${strings.examples}</span>
        ${this.task.examples.map(
          ({ name, text }) => html`<button
            type="button"
            class="plain"
            lang=${languageOf(name) || nothing}
            @click=${() => this.type(text)}
          >
            ${name}
          </button>`,
        )}
      </div>
    </section>`;
  }

  private renderAnswer(context: Context | null): TemplateResult {
    const { strings } = this;
    return html`<section class="answer" aria-label=${strings.verdict}>
      <div class=${context?.stale ? 'stale' : ''} aria-live="polite">
        ${context ? this.task.render(context.reading, strings) : html`<div class="verdict"></div>`}
      </div>
      ${this.renderStatus()}
    </section>`;
  }

  private renderStatus(): TemplateResult {
    const { session, strings, text, modelName } = this;
    const reading = text.trim() === '' ? null : this.reading;
    return html`<div class="status">
      ${status({
        session,
        strings,
        reading,
        text,
        modelName,
        again: () => session.submit(text),
        demoModel: () => this.demoModel(),
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

  private renderFooter(): TemplateResult {
    const { strings } = this;
    const onKeep = (event: Event) => {
      setKeepsText((event.target as HTMLInputElement).checked);
      keepText(this.text);
    };
    const onChoose = (event: Event) => this.ownModel(chosenFiles(event.target as HTMLInputElement));
    return html`
      <p>
        <button type="button" class="plain" @click=${() => void this.copyLink()}>${strings.copyLink}</button>
        <label class="switch">
          <input type="checkbox" .checked=${keepsText()} @change=${onKeep} /> ${strings.keep}
        </label>
        <span role="status">${this.notice}</span>
      </p>
      <p>
        <label class="plain file">
          ${strings.ownModel}<input class="sr" type="file" webkitdirectory multiple @change=${onChoose} />
        </label>
        ${
          this.modelName
            ? html`<button type="button" class="plain" @click=${() => this.demoModel()}>
              ${strings.backToDemo}
            </button>`
            : nothing
        }
        <span class="quiet">${strings.ownModelHow}</span>
      </p>
    `;
  }

  // ---------------------------------------------------------------------------------------------
  // Links and models

  private async copyLink(): Promise<void> {
    const link = new URL(location.href);
    link.hash = writeFragment(this.state, this.text);
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

  private async onDrop(event: DragEvent): Promise<void> {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.ownModel(await droppedFiles(event.dataTransfer));
  }

  private ownModel(files: readonly File[]): void {
    if (files.length === 0) return this.tell(this.strings.ownModelNone);
    this.change(files, folderName(files));
  }

  private demoModel(): void {
    this.change(this.task.model, '');
  }

  /** Another model: what the one before made of the text goes, so that it is never taken for the new one's. */
  private change(source: string | readonly File[], name: string): void {
    this.modelName = name;
    this.reading = null;
    this.session.submit(this.text);
    void this.session.open(source);
  }
}
