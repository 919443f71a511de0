// What is refused of options. The functions that draw stand by themselves, and so their errors are JavaScript's own.

/** Throws a RangeError for an option that there is not, and for a value that is none of its choices. Null leaves all names open. */
export function checkChoices(options: object, names: readonly string[] | null, choices: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (names && !names.includes(name)) throw new RangeError(`there is no option '${name}'; there are ${names.join(', ')}`);
    const known = choices[name];
    if (known && value !== undefined && !known.includes(value as string)) {
      throw new RangeError(`${name} must be one of ${known.join(', ')}, not ${String(value)}`);
    }
  }
}
