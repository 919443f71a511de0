import { en, type Strings } from './en.js';
import { zh } from './zh.js';

export type { Strings };
export type Language = 'en' | 'zh';

export const strings: Record<Language, Strings> = { en, zh };

/** The page's language, where nobody chose one. */
export const preferredLanguage = (languages: readonly string[]): Language =>
  languages
    .find((language) => /^(en|zh)\b/i.test(language))
    ?.toLowerCase()
    .startsWith('zh')
    ? 'zh'
    : 'en';
