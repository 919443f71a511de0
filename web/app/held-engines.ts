// The builds of the engine that lie in the page itself, as bert-headlight/inline has them.

const held = (id: string): string => `data:application/gzip;base64,${document.getElementById(id)?.textContent ?? ''}`;

export const engines = { relaxed: held('headlight-relaxed'), simd128: held('headlight-simd128') };
