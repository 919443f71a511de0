import { defineElements } from '../src/elements/index.js';
import { HeadlightApp } from './app.js';

defineElements();
customElements.define('headlight-app', HeadlightApp);
