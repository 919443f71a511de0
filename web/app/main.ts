import { defineElements } from '../src/elements/index.js';
import { HeadlightApp } from './app.js';
import { HeadlightProgress } from './progress.js';

defineElements();
customElements.define('headlight-progress', HeadlightProgress);
customElements.define('headlight-app', HeadlightApp);
