// A native menu that reads as a word of a sentence: it is as wide as its choice.

import { html, type TemplateResult } from 'lit';

export interface Choices<T> {
  label: string;
  value: T;
  options: readonly { value: T; name: string; disabled?: boolean }[];
  choose(value: T): void;
}

export function menu<T extends string | number>({
  label,
  value,
  options,
  choose,
}: Choices<T>): TemplateResult {
  const at = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  );
  const onChange = (event: Event) =>
    choose(options[(event.target as HTMLSelectElement).selectedIndex]!.value);
  return html`<span class="menu"
    ><span class="menu-word" aria-hidden="true"><bdi>${options[at]?.name}</bdi></span
    ><select aria-label=${label} .selectedIndex=${at} @change=${onChange}>
      ${options.map((option, i) => html`<option ?selected=${i === at} ?disabled=${option.disabled}>${option.name}</option>`)}
    </select></span
  >`;
}
