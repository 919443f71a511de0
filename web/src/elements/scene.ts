// A drawing as a list of shapes, written as SVG or painted on a canvas: one layout, two outputs.

export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; opacity?: number }
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
  shapes: Shape[];
}

const escapeXml = (text: string): string =>
  text
    // XML 1.0 has no place for these.
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

const round = (value: number): number => Math.round(value * 100) / 100;

/** A standalone SVG file; the same scene gives the same bytes. */
export function sceneToSvg(scene: Scene): string {
  const shapes = scene.shapes.map((shape) => {
    if (shape.kind === 'rect') {
      const opacity = shape.opacity === undefined ? '' : ` fill-opacity="${round(shape.opacity)}"`;
      return `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" fill="${shape.fill}"${opacity}/>`;
    }
    const at = `x="${round(shape.x)}" y="${round(shape.y)}"`;
    const turn = shape.upwards ? ` transform="rotate(-90 ${round(shape.x)} ${round(shape.y)})"` : '';
    return `<text ${at} font-size="${shape.size}" font-family="${escapeXml(shape.family)}" fill="${shape.fill}" text-anchor="${shape.anchor ?? 'start'}"${turn} xml:space="preserve">${escapeXml(shape.text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(scene.width)}" height="${round(scene.height)}" viewBox="0 0 ${round(scene.width)} ${round(scene.height)}" role="img">`,
    `<title>${escapeXml(scene.title)}</title>`,
    `<rect width="100%" height="100%" fill="${scene.background}"/>`,
    ...shapes,
    '</svg>\n',
  ].join('\n');
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
