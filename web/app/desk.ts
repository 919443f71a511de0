// What lies on the page's desk: what is chosen and typed, the model, what was read last; and all that changes it.

import { headsOf, mapsOf, type Choice } from '../src/elements/index.js';
import { explainOptions } from './explain.js';
import { Extras } from './extras.js';
import { firstLight, type FirstLight } from './first-light.js';
import { leastImportant, placesWithin, writeHeads } from './heads-off.js';
import type { Source } from './loading.js';
import { addressName, folderName, isTable } from './own-model.js';
import {
  demoOf,
  fieldNames,
  fieldsOf,
  isFilled,
  taskOf,
  type Demo,
  type Fields,
  type Kept,
  type Reading,
  type Task,
} from './registry.js';
import { Session, failureOf, type Read } from './session.js';
import { site } from './site.js';
import { initialState, keepFields, keptFields, ofOneModel, readFragment, writeFragment, type State } from './state.js';
import { strings as allStrings, type Strings } from './strings/index.js';
import { inputOf, sameToken, unitsOf } from './units.js';

/** A table that was opened; hidden while one looks at a text by itself. */
export interface OpenTable {
  file: File;
  shown: boolean;
}

/** Milliseconds that a notice stays. */
const NOTICE = 6000;

export const sameFields = (a: Fields, b: Fields): boolean => JSON.stringify(a) === JSON.stringify(b);
/** Of a model of one's own, where a link has one; a site is about its own. */
const addressOfModel = (): string | null => (site ? null : new URLSearchParams(location.search).get('model') || null);

export class Desk {
  state: State;
  fields: Fields;
  reading: Reading | null = null;
  /** A model of one's own in place of the demo's. */
  own: { name: string; source: Source } | null;
  /** The place where one chooses it is open. */
  choosing = false;
  table: OpenTable | null = null;
  /** A lit text to compare with; it stays when text, model and all else change. */
  kept: Kept | null = null;
  /** What was just done, for a moment. */
  notice = '';
  readonly session: Session;
  /** What views ask of the model about the reading. */
  readonly extras: Extras;

  /** The text is in the address, since it came from there. */
  private linked: boolean;
  /** The token that looks was chosen for the text that is read next. */
  private placed = false;
  /** What the fields were typed for. */
  private typedFor: Task;
  private told: Readonly<Record<string, string>> = {};
  private bounded: { state: State; reading: Reading | null; resolved: State } | null = null;

  /** @param changed something is other than before */
  constructor(private readonly changed: () => void) {
    const { state, fields } = readFragment(location.hash, initialState());
    const demo = demoOf(state.demo);
    this.state = state;
    this.linked = fields !== null;
    this.fields = fields ? fieldsOf({ name: '', fields }) : (keptFields(demo.id) ?? fieldsOf(demo.examples[0]!));
    const address = addressOfModel();
    this.own = address === null ? null : { name: addressName(address), source: address };
    this.typedFor = taskOf(demo.task);
    this.session = new Session(
      this.typedFor,
      changed,
      () => this.onOpened(),
      (read) => this.take(read, read.milliseconds),
      () => this.state.off,
    );
    // What a view wants to know waits until the text is read.
    this.extras = new Extras(() => (this.session.busy ? null : this.session.asked), changed);
    const stored = firstLight();
    if (!this.own && stored.demo === demo.id && sameFields(this.fields, stored.fields)) this.take(stored, null);
  }

  /** Loads the model; what is typed waits for it. */
  start(): void {
    this.session.submit(this.fields);
    void this.session.open(this.own?.source ?? this.demo.model, this.state.task || this.task.id);
  }

  get task(): Task {
    return this.session.task;
  }

  get strings(): Strings {
    return allStrings[this.state.language];
  }

  get demo(): Demo {
    return demoOf(this.state.demo);
  }

  /** Whether there is something to read. */
  get filled(): boolean {
    return isFilled(this.task, this.session.info, this.fields);
  }

  /** What typed texts are kept by. */
  private get key(): string {
    return this.own ? `task:${this.task.id}` : this.demo.id;
  }

  /** Those that fill no field which is not there. */
  get examples(): Task['examples'] {
    const all = this.own || this.demo.task !== this.task.id ? this.task.examples : this.demo.examples;
    const shown = this.task.fields(this.session.info).map(({ name }) => name);
    return all.filter(({ fields }) => fieldNames.every((name) => !fields[name] || shown.includes(name)));
  }

  /** The state within the bounds of the reading's model; the same object until something changes. */
  get resolved(): State {
    const { state, reading } = this;
    if (this.bounded?.state !== state || this.bounded.reading !== reading) {
      this.bounded = { state, reading, resolved: within(state, reading) };
    }
    return this.bounded.resolved;
  }

  /** Where the reading comes from, for files; the same object until something changes. */
  get about(): Readonly<Record<string, string>> {
    const { reading, strings, own, session } = this;
    const { info } = session;
    if (!reading) return {};
    const { model, weights, text, pair, off } = strings.about;
    const about = {
      [model]: (own?.name ?? addressName(this.demo.model)) + (info ? `, ${info.dtype}` : ''),
      ...(info?.weightsSha256 ? { [weights]: info.weightsSha256 } : {}),
      [text]: reading.text,
      ...(reading.pair === null ? {} : { [pair]: reading.pair }),
      ...(this.resolved.off.length === 0 ? {} : { [off]: writeHeads(this.resolved.off) }),
    };
    if (JSON.stringify(about) !== JSON.stringify(this.told)) this.told = about;
    return this.told;
  }

  private take(
    { task, fields, result, known }: Omit<Read, 'milliseconds'> & Partial<FirstLight>,
    milliseconds: number | null,
  ): void {
    const { reading, state } = this;
    this.extras.clear({ same: reading?.task === task && sameFields(reading.fields, fields), known });
    const units = unitsOf(result.attention, state.pieces);
    const maps = mapsOf(result.attention, this.session.info?.prunedHeads);
    this.reading = { ...result, task, fields, maps, units, milliseconds };
    const follows = reading !== null && !this.placed;
    this.placed = false;
    if (!follows || typeof state.query !== 'number') return;
    // The token that looks is still the same, wherever it stands now; if it is gone, none is chosen.
    const query = sameToken(reading.attention.tokens, result.attention.tokens, state.query) ?? 'default';
    if (query !== state.query) this.set({ query });
  }

  set(change: Partial<State>): void {
    // A layer or a head takes the place of heads that were picked one by one.
    const picked = change.mix ?? ('layer' in change || 'head' in change ? [] : this.state.mix);
    this.show({ ...this.state, ...change, mix: picked });
    if (change.off) this.session.submit(this.fields);
    this.writeAddress();
    this.changed();
  }

  private show(state: State): void {
    const { pieces } = this.state;
    this.state = state;
    if (state.pieces !== pieces && this.reading) {
      this.reading = { ...this.reading, units: unitsOf(this.reading.attention, state.pieces) };
    }
  }

  /** Switches off a share of the heads, those that matter least to the answer for this text. */
  async switchOffLeast(share: number): Promise<void> {
    const { reading, session } = this;
    if (!reading || !session.loaded) return;
    const { maps } = reading;
    const token = this.resolved.query as number;
    const options = explainOptions(reading, session.info, token, 'head-importance');
    try {
      const { scores } = await session.loaded.explain(inputOf(reading), options);
      if (this.reading === reading) this.set({ off: leastImportant(scores.data, maps, share) });
    } catch (error) {
      this.tell(failureOf(error).message);
    }
  }

  /** Puts something on the desk, or takes it away. */
  put(change: Partial<Pick<Desk, 'choosing' | 'table' | 'kept'>>): void {
    Object.assign(this, change);
    this.changed();
  }

  private writeAddress(): void {
    const link = new URL(location.href);
    if (typeof this.own?.source === 'string') link.searchParams.set('model', this.own.source);
    else link.searchParams.delete('model');
    link.hash = writeFragment(this.state, this.linked ? this.fields : null);
    history.replaceState(null, '', link.href);
  }

  /** The address is another: by a link, or one step back. */
  followAddress(): void {
    const { state, fields: given } = readFragment(location.hash, initialState());
    const fields = given && fieldsOf({ name: '', fields: given });
    const address = addressOfModel();
    const own = this.own?.source;
    const opens = address !== null && address !== own;
    const moves = opens || state.demo !== this.state.demo || (address === null && typeof own === 'string');
    const reads =
      (fields !== null && !sameFields(fields, this.fields)) || writeHeads(state.off) !== writeHeads(this.state.off);
    if (opens) this.own = { name: addressName(address), source: address };
    else if (moves) this.takeDemo(demoOf(state.demo));
    this.show(state);
    this.linked = fields !== null;
    if (fields) {
      this.fields = fields;
      keepFields(this.key, fields);
    }
    if (moves) return this.change();
    this.placed = reads;
    if (reads) this.read();
    else this.changed();
  }

  /** New texts. */
  type(fields: Fields): void {
    this.fields = fields;
    this.linked = false;
    keepFields(this.key, fields);
    this.writeAddress();
    this.read();
  }

  /** Reads what is typed; what was asked about the text before ends. */
  private read(): void {
    this.extras.halt();
    this.session.submit(this.fields);
  }

  /** Keeps what is typed, or has it forgotten, as was just switched. */
  keep(): void {
    keepFields(this.key, this.fields);
  }

  async copyLink(): Promise<void> {
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
    this.changed();
    setTimeout(() => {
      this.notice = '';
      this.changed();
    }, NOTICE);
  }

  /** Loads another model; what the model before made of the text goes, so that it is never taken for the new one's. */
  private change(): void {
    this.extras.clear();
    this.reading = null;
    this.choosing = false;
    this.writeAddress();
    this.start();
  }

  chooseDemo(demo: Demo): void {
    this.takeDemo(demo);
    this.state = { ...this.state, ...ofOneModel, demo: demo.id };
    this.change();
  }

  /** With a text of its own: what was typed for it, or its first example. */
  private takeDemo(demo: Demo): void {
    this.own = null;
    this.linked = false;
    this.session.task = this.typedFor = taskOf(demo.task);
    this.fields = keptFields(demo.id) ?? fieldsOf(demo.examples[0]!);
  }

  openOwn(source: Source, name: string): void {
    this.own = { name, source };
    this.state = { ...this.state, ...ofOneModel };
    this.change();
  }

  /** The model is here. The same task goes on with what is typed; another one has a text of its own. */
  private onOpened(): void {
    if (this.task !== this.typedFor) this.newTask();
    this.session.submit(this.fields);
  }

  chooseTask(task: Task): void {
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

  /** A table or a model's folder. */
  openFiles(files: readonly File[]): void {
    if (files.length === 0) this.tell(this.strings.ownModelNone);
    else if (isTable(files)) void this.openTable(files[0]!);
    else this.openOwn(files, folderName(files));
  }

  private async openTable(file: File): Promise<void> {
    await import('./table/view.js');
    this.put({ table: { file, shown: true } });
  }
}

function within(state: State, reading: Reading | null): State {
  if (!reading) return state;
  const { maps, look = 0 } = reading;
  const bound = (choice: Choice, count: number): Choice => (choice === 'all' ? 'all' : Math.min(choice, count - 1));
  const { layer, head, query } = state;
  const secondToLast = Math.max(0, maps.layers - 2);
  const there = bound(layer === 'default' ? secondToLast : layer, maps.layers);
  const known = bound(head, maps.heads);
  return {
    ...state,
    layer: there,
    // In place of a head that the layer lacks stand those that it has.
    head: known === 'all' || headsOf(maps, there).includes(known) ? known : 'all',
    mix: placesWithin(state.mix, maps),
    off: placesWithin(state.off, maps),
    query: query === 'default' ? look : query,
  };
}
