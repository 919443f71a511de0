// Where contenders run: each in a process of its own, or in a page of its own. All have
//   start() -> facts, run(request, repeats) -> {ms, cpu, result} (no cpu in a page), memory() -> {resident, peak} or null, stop().

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

export class ProcessHost {
  #child;
  #lines;
  #options;

  /** command: the program and its arguments, which answers lines as bench/process.mjs does. */
  constructor(command, options) {
    this.#options = options;
    const [program, ...args] = command;
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  static node(program, options) {
    const script = fileURLToPath(new URL('process.mjs', import.meta.url));
    return new ProcessHost([program, '--expose-gc', script], options);
  }

  async start() {
    return (await this.#ask({ start: this.#options })).facts;
  }

  run(request, repeats) {
    return this.#ask({ run: request, repeats });
  }

  memory() {
    return this.#ask({ memory: true });
  }

  stop() {
    this.#child.kill();
  }

  async #ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#options.contender} ended`);
    const reply = JSON.parse(value);
    if (reply.error) throw new Error(`${this.#options.contender}: ${reply.error}`);
    return reply;
  }
}

export class PageHost {
  #browser;
  #url;
  #options;
  #context;
  #page;
  #requests = new Set();

  constructor(browser, url, options) {
    this.#browser = browser;
    this.#url = url;
    this.#options = options;
  }

  /** An empty page with an empty cache; a request to another host ends it. */
  async open() {
    this.#context = await this.#browser.newContext();
    this.#page = await this.#context.newPage();
    this.#page.setDefaultTimeout(600_000);
    this.#page.on('pageerror', (error) => console.error(String(error)));
    this.#context.on('request', (request) => this.#requests.add(request.url()));
    await this.#context.route(
      (url) => !url.href.startsWith(this.#url),
      (route) => route.abort(),
    );
    await this.#page.goto(`${this.#url}bench/page.html`);
    await this.#page.waitForFunction(() => globalThis.startContender);
  }

  async start() {
    await this.open();
    return (await this.#page.evaluate((options) => startContender(options), this.#options)).facts;
  }

  run(request, repeats) {
    return this.#page.evaluate(([request, repeats]) => runContender(request, repeats), [request, repeats]);
  }

  coldStart(request) {
    return this.#page.evaluate(([options, request]) => coldStart(options, request), [this.#options, request]);
  }

  /** Addresses that the page and its workers have asked for since it was opened. */
  requests() {
    return [...this.#requests];
  }

  async memory() {
    return null;
  }

  stop() {
    return this.#context?.close();
  }
}
