// A drawing as a list of shapes, written as SVG or painted on a canvas: one layout, two outputs.

export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; opacity?: number }
  | {
      kind: 'path';
      d: string;
      stroke: string;
      width: number;
      opacity: number;
      /** Lengths of dash and gap; a whole line without it. */
      dash?: number[];
    }
  | {
      kind: 'text';
      x: number;
      /** Baseline. */
      y: number;
      text: string;
      size: number;
      family: string;
      fill: string;
      anchor?: 'start' | 'middle' | 'end';
      /** Turned a quarter to the left, to be read upwards. */
      upwards?: boolean;
    };

export interface Scene {
  width: number;
  height: number;
  background: string;
  /** What the picture shows: method, layer, head; the title of the SVG. */
  title: string;
  /** Where it comes from; the description of the SVG. */
  description?: string;
  shapes: Shape[];
}

// What XML 1.0 has no place for: control characters, non-characters, halves of surrogate pairs.
const unwritable = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]',
    '[\\ud800-\\udbff](?![\\udc00-\\udfff])',
    '(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
  ].join('|'),
  'g',
);
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign]!);

const round = (value: number): number => Math.round(value * 100) / 100;

/** An element; numbers are rounded, what is undefined is left out. */
function tag(
  name: string,
  attributes: Record<string, string | number | undefined>,
  content?: string,
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escapeXml(value!)}"`)
    .join('');
  return content === undefined ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

function shapeToSvg(shape: Shape): string {
  if (shape.kind === 'path') {
    const { d, stroke, width, opacity, dash } = shape;
    const look = { stroke, 'stroke-width': width, 'stroke-opacity': opacity, 'stroke-dasharray': dash?.join(' ') };
    return tag('path', { d, fill: 'none', ...look });
  }
  const { x, y, fill } = shape;
  if (shape.kind === 'rect') {
    return tag('rect', {
      x,
      y,
      width: shape.width,
      height: shape.height,
      fill,
      'fill-opacity': shape.opacity,
    });
  }
  const attributes = {
    x,
    y,
    fill,
    'font-size': shape.size,
    'font-family': shape.family,
    'text-anchor': shape.anchor ?? 'start',
    transform: shape.upwards ? `rotate(-90 ${round(x)} ${round(y)})` : undefined,
    'xml:space': 'preserve',
  };
  return tag('text', attributes, escapeXml(shape.text));
}

/** A standalone SVG file; the same scene gives the same bytes. */
export function sceneToSvg({ width, height, background, title, description, shapes }: Scene): string {
  const content = [
    '',
    tag('title', {}, escapeXml(title)),
    ...(description ? [tag('desc', {}, escapeXml(description))] : []),
    tag('rect', { width, height, fill: background }),
    ...shapes.map(shapeToSvg),
    '',
  ].join('\n');
  const viewBox = `0 0 ${round(width)} ${round(height)}`;
  return `${tag('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox, role: 'img' }, content)}\n`;
}

/** A PNG at `scale` pixels a CSS pixel, less where the canvas would pass what browsers allow. */
export async function sceneToPng(scene: Scene, scale = 2): Promise<Blob> {
  const maxSide = 16384;
  const maxArea = 2 ** 26;
  const fit = Math.min(
    scale,
    maxSide / Math.max(scene.width, scene.height),
    Math.sqrt(maxArea / (scene.width * scene.height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(scene.width * fit));
  canvas.height = Math.max(1, Math.round(scene.height * fit));
  const context = canvas.getContext('2d')!;
  context.scale(fit, fit);
  context.fillStyle = scene.background;
  context.fillRect(0, 0, scene.width, scene.height);
  for (const shape of scene.shapes) {
    if (shape.kind === 'path') {
      context.strokeStyle = shape.stroke;
      context.lineWidth = shape.width;
      context.globalAlpha = shape.opacity;
      context.setLineDash(shape.dash ?? []);
      context.stroke(new Path2D(shape.d));
      context.globalAlpha = 1;
      continue;
    }
    context.fillStyle = shape.fill;
    if (shape.kind === 'rect') {
      context.globalAlpha = shape.opacity ?? 1;
      context.fillRect(shape.x, shape.y, shape.width, shape.height);
      context.globalAlpha = 1;
      continue;
    }
    context.save();
    context.font = `${shape.size}px ${shape.family}`;
    context.textAlign =
      shape.anchor === 'middle' ? 'center' : (shape.anchor ?? 'left') === 'end' ? 'right' : 'left';
    context.translate(shape.x, shape.y);
    if (shape.upwards) context.rotate(-Math.PI / 2);
    context.fillText(shape.text, 0, 0);
    context.restore();
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new RangeError('the picture is too large'))),
      'image/png',
    ),
  );
}
