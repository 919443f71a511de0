// The script of the engine's further threads: the same glue, which begins by itself in a worker of this name.

import './threads-scope.js';
import 'headlight-threads-glue';
