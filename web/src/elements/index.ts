// The elements' classes and what they stand on; importing this defines nothing and needs no document.

import { HeadlightCurve } from './headlight-curve.js';
import { HeadlightHeads } from './headlight-heads.js';
import { HeadlightHeatmap } from './headlight-heatmap.js';
import { HeadlightLinks } from './headlight-links.js';
import { HeadlightText } from './headlight-text.js';

export {
  HeadlightText,
  type QueryEvent,
  type StepEvent,
  type TextStrings,
  type TokenEvent,
} from './headlight-text.js';
export {
  HeadlightHeads,
  type HeadChoice,
  type HeadChooseEvent,
  type HeadMixEvent,
  type HeadPreviewEvent,
  type HeadSwitchEvent,
  type HeadsStrings,
} from './headlight-heads.js';
export {
  HeadlightHeatmap,
  type CellChooseEvent,
  type CellEvent,
  type HeatmapStrings,
} from './headlight-heatmap.js';
export { HeadlightCurve, type CurvePoint, type CurveStrings } from './headlight-curve.js';
export { HeadlightLinks, type LinksStrings, type ShownHeadsEvent } from './headlight-links.js';
export { type Cell, type ViewData } from './view-element.js';
export { formatWeight, type NumberFormat } from './text-format.js';
export * from './views.js';

/** Defines the elements that are not defined yet; without a document it does nothing. */
export function defineElements(): void {
  if (typeof document === 'undefined') return;
  const elements = {
    'headlight-text': HeadlightText,
    'headlight-heads': HeadlightHeads,
    'headlight-heatmap': HeadlightHeatmap,
    'headlight-links': HeadlightLinks,
    'headlight-curve': HeadlightCurve,
  };
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
