const resume: (() => void)[] = [];
let channel: MessageChannel | undefined;

/**
 * Lets the event loop take its turn: input, painting, messages. A message, unlike a timer, is not delayed by
 * browsers when it recurs; Node's setImmediate does not keep a finished program alive, as an open port would.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => resume.shift()?.();
    }
    resume.push(resolve);
    channel.port2.postMessage(null);
  });
}
