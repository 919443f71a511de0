// <headlight-app>: the page. It lays out what lies on the desk.

import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { controls, controlsRoom } from './controls.js';
import { Desk, sameFields, type OpenTable } from './desk.js';
import { asksToken, explanationLit, methodOf, methodsFor, targetName, targetsOf } from './explain.js';
import { footer } from './footer.js';
import { inputs } from './inputs.js';
import { attentionLit } from './lit.js';
import { menu } from './menu.js';
import { addressName, droppedFiles, ownModel } from './own-model.js';
import { latest } from './once.js';
import { fieldsOf, views, type AnswerContext, type Context, type View } from './registry.js';
import type { ModelInfo } from '../src/types.js';
import { site } from './site.js';
import type { State } from './state.js';
import { status } from './status.js';
import { strings as allStrings } from './strings/index.js';
import { modelSwitch } from './switch.js';
import { entryOf, languageOf, tokenAt } from './units.js';

/** One strip of heads instead of a grid beside the text. */
const NARROW = '(max-width: 899px)';

export class HeadlightApp extends LitElement {
  static override properties = {
    previewed: { state: true },
    narrow: { state: true },
    several: { state: true },
  };

  /** What the pointer is on. */
  declare private previewed: Pick<State, 'layer' | 'head'> | null;
  declare private narrow: boolean;
  /** Heads are picked one by one. */
  declare private several: boolean;
  /** What is chosen stays while the pointer moves. */
  private readonly chosen = latest<readonly unknown[], ReturnType<HeadlightApp['choose']>>();
  private readonly desk = new Desk(() => this.requestUpdate());

  constructor() {
    super();
    this.previewed = null;
    this.narrow = matchMedia(NARROW).matches;
    this.several = false;
  }

  // The page's own style sheet styles it. What is there before goes.
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    matchMedia(NARROW).addEventListener('change', ({ matches }) => (this.narrow = matches));
    addEventListener('popstate', () => this.desk.followAddress());
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => void this.onDrop(event));
    this.desk.start();
  }

  private async onDrop(event: DragEvent): Promise<void> {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.desk.openFiles(await droppedFiles(event.dataTransfer));
  }

  protected override willUpdate(): void {
    document.documentElement.lang = this.desk.state.language === 'zh' ? 'zh-Hans' : 'en';
  }

  /** Everything a view needs, or null without a reading. */
  private context(): Context | null {
    const { desk } = this;
    const { reading, strings, resolved: state } = desk;
    if (!reading) return null;
    const query = entryOf(reading.units, state.query as number);
    const { info } = desk.session;
    const base = { reading, state, strings, query, ask: desk.extras.ask };
    const chosen = this.chosen([reading, state, strings, info, desk.extras.version, desk.session.busy], () =>
      this.choose(base, info),
    );
    const { method, chosenLit } = chosen;
    const byToken = asksToken(method, info);
    const look = (change: Partial<State>) => {
      const stays = method === 'attention' || (byToken && Object.keys(change).join() === 'query');
      desk.set(stays ? change : { ...change, by: 'attention' });
    };
    return {
      ...base,
      ...chosen,
      about: desk.about,
      lit: this.previewed ? attentionLit(base, { ...this.previewed, mix: [] }) : chosenLit,
      asksToken: byToken,
      targets: targetsOf(reading, info),
      targetName: targetName(base, method, info),
      stale: desk.session.busy && !sameFields(reading.fields, desk.fields),
      narrow: this.narrow,
      switchOffLeast: (share) => void desk.switchOffLeast(share),
      kept: desk.kept,
      keep: (kept) => desk.put({ kept }),
      set: (change) => desk.set(change),
      look,
      preview: (previewed) => (this.previewed = previewed),
      several: this.several,
      pickSeveral: (several) => (this.several = several),
    };
  }

  /** What lights the text. */
  private choose(base: Pick<Context, 'reading' | 'state' | 'strings' | 'query' | 'ask'>, info: ModelInfo | null) {
    const { reading, state } = base;
    const methods = methodsFor(reading, info);
    const { method, declined } = methodOf(state, reading, methods);
    const byAttention = () => ({ method: 'attention' as const, chosenLit: attentionLit(base, state), explanation: null });
    if (method === 'attention') return { ...byAttention(), methods, declined };
    const [chosenLit, explanation] = explanationLit(base, method, info);
    // What nobody asked for by name does not leave the text unlit.
    if (explanation.failure && method !== state.by) {
      return { ...byAttention(), methods, declined: { method, message: explanation.failure.message } };
    }
    return { methods, method, declined, chosenLit, explanation };
  }

  protected override render(): TemplateResult {
    const { desk } = this;
    const { strings, state, own, choosing } = desk;
    const other = state.language === 'zh' ? 'en' : 'zh';
    return html`
      <header>
        <h1>${site?.title ?? strings.title}</h1>
        <p>${strings.lead}</p>
        <button type="button" class="plain" lang=${other} @click=${() => desk.set({ language: other })}>
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
          desk.chooseDemo(demo);
        },
        toggle: () => desk.put({ choosing: !choosing }),
      })}
      ${
        choosing
          ? ownModel({
              strings,
              address: typeof own?.source === 'string' ? own.source : '',
              openFiles: (files) => desk.openFiles(files),
              openAddress: (address) => desk.openOwn(address, addressName(address)),
            })
          : nothing
      }
      <main>${this.renderMain()}</main>
      ${footer({
        strings,
        notice: desk.notice,
        stored: desk.session.stored,
        clearStored: () => void desk.session.clearStored(),
        copyLink: () => void desk.copyLink(),
        forgot: () => desk.keep(),
      })}
    `;
  }

  private renderMain(): TemplateResult {
    const { table } = this.desk;
    return html`${table ? this.renderTable(table) : nothing} ${table?.shown ? nothing : this.renderOne()}`;
  }

  /** One text, and what a task makes of it. */
  private renderOne(): TemplateResult {
    const { desk } = this;
    const { session, strings, task, table } = desk;
    return html`${inputs({
        strings,
        fitting: session.fitting,
        task,
        shown: task.fields(session.info),
        fields: desk.fields,
        examples: desk.examples,
        choose: (other) => desk.chooseTask(other),
        write: (fields) => desk.type({ ...desk.fields, ...fields }),
        take: (example) => desk.type(fieldsOf(example)),
        openTable: (files) => desk.openFiles(files),
        backToTable: table ? () => desk.put({ table: { ...table, shown: true } }) : null,
      })}
      ${desk.filled ? this.renderText() : this.renderEmpty()}`;
  }

  private renderTable(table: OpenTable): TemplateResult {
    const { desk } = this;
    const { session, strings, task } = desk;
    const onRow = ({ detail: text }: CustomEvent<string>) => {
      desk.put({ table: { ...table, shown: false } });
      desk.type({ ...desk.fields, text });
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
      @headlight-close=${() => desk.put({ table: null })}
    ></headlight-table>`;
  }

  private renderEmpty(): TemplateResult {
    const { strings } = this.desk;
    return html`<section class="answer" aria-label=${strings.verdict}>${this.renderStatus()}</section>
      <p class="empty">${strings.empty}</p>`;
  }

  private renderText(): TemplateResult {
    const { narrow } = this;
    const { strings, resolved, fields, session, task, reading, extras } = this.desk;
    const context = reading?.task === task ? this.context() : null;
    // A text that nobody reads yet is there, unlit; the heads keep their space.
    const unread = session.failure !== null || session.model.phase !== 'ready';
    if (!context || (unread && !sameFields(context.reading.fields, fields))) {
      const room = context ? controls(context) : controlsRoom(strings, resolved, task, fields);
      return html`${this.renderAnswer(null)} ${narrow ? nothing : room}
        <section class="lit unread">
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
            <p class="switches"></p>
          </section>
        </div>
        ${narrow ? room : nothing}`;
    }
    // What does not follow the pointer is not made anew while it moves.
    const still = [context.reading, resolved, strings, narrow, this.several, extras.version, session.busy];
    const at = (place: View['place']) => views.filter((view) => view.place === place && view.fits?.(context.reading) !== false);
    const sentence = guard(still, () => controls(context));
    return html`
      ${this.renderAnswer(context)} ${narrow ? nothing : sentence} ${at('main').map((view) => view.render(context))}
      <div class="side">${guard(still, () => at('side').map((view) => view.render(context)))}</div>
      ${narrow ? sentence : nothing} ${guard(still, () => this.renderBelow(context, at('below')))}
    `;
  }

  private renderAnswer(context: Context | null): TemplateResult {
    const { desk } = this;
    const { strings, task } = desk;
    const reading = context?.reading;
    const given: AnswerContext = {
      answer: reading?.answer ?? null,
      fields: reading?.fields ?? desk.fields,
      strings,
      query: reading ? (desk.resolved.query as number) : null,
      tokenAt: (unit) => (reading ? tokenAt(reading.attention, unit) : null),
      look: (query) => context?.look({ query }),
      write: (fields) => desk.type({ ...desk.fields, ...fields }),
    };
    const stale = context?.stale ? 'stale' : '';
    return html`<section class="answer" aria-label=${strings.verdict}>
      <div class=${stale} aria-live="polite">${task.verdict(given)}</div>
      ${task.details ? html`<div class=${stale}>${task.details(given)}</div>` : nothing} ${this.renderStatus()}
    </section>`;
  }

  private renderStatus(): TemplateResult {
    const { desk } = this;
    const { session, strings, fields } = desk;
    const reading = desk.filled ? desk.reading : null;
    return html`<div class="status">
      ${status({
        session,
        strings,
        reading,
        current: reading !== null && sameFields(reading.fields, fields),
        modelName: desk.own?.name ?? '',
        again: () => session.submit(fields),
        demoModel: () => desk.chooseDemo(desk.demo),
      })}
    </div>`;
  }

  private renderBelow(context: Context, below: readonly View[]): TemplateResult {
    const { desk } = this;
    const { strings } = desk;
    const current = below.find(({ id }) => id === context.state.map) ?? below[0]!;
    const choose = (map: string) => desk.set({ map });
    const title = (view: View) => view.title(strings, context.state);
    const tab = (view: View) => html`<button
      type="button"
      class="tab"
      aria-pressed=${view === current ? 'true' : 'false'}
      @click=${() => choose(view.id)}
    >
      ${title(view)}
    </button>`;
    // Tabs would take three lines of a phone.
    const options = below.map((view) => ({ value: view.id, name: title(view) }));
    return html`<div class="below">
      <nav aria-label=${strings.maps}>
        ${context.narrow ? menu({ label: strings.maps, value: current.id, options, choose }) : below.map(tab)}
      </nav>
      ${current.render(context)}
    </div>`;
  }
}
