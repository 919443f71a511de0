import { Reading } from './reading.js';

export default function Page() {
  return <Reading />;
}
