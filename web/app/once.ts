/** A function that makes something of an object once; later calls give the same. */
export function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

/** A function that makes something anew only where what it depends on is other than at the last call. */
export function latest<Keys extends readonly unknown[], Value>(): (keys: Keys, make: () => Value) => Value {
  let last: { keys: Keys; value: Value } | null = null;
  return (keys, make) => {
    if (!last?.keys.every((key, i) => key === keys[i])) last = { keys, value: make() };
    return last.value;
  };
}
