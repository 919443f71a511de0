// Style properties of an element by script: a style attribute, which lit's styleMap writes, a strict policy refuses.

import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

class SetStyle extends Directive {
  render(_properties: Readonly<Record<string, string>>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [properties]: Parameters<this['render']>): unknown {
    const { style } = part.element as HTMLElement | SVGElement;
    for (const [name, value] of Object.entries(properties)) style.setProperty(name, value);
    return noChange;
  }
}

/** html`<span ${setStyle({ height: '3px' })}></span>` */
export const setStyle = directive(SetStyle);
