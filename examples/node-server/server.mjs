// POST / classifies the text of the body; GET /health tells what each thread has in hand.

import http from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from './pool.mjs';

const pool = await Pool.start('./model', 2);

const server = http.createServer(async (request, response) => {
  const answer = (status, value) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  try {
    if (request.method === 'GET' && request.url === '/health') answer(200, { running: pool.running });
    else if (request.method === 'POST' && request.url === '/') answer(200, await pool.classify(await text(request)));
    else answer(404, { error: 'POST / or GET /health' });
  } catch (error) {
    answer(500, { error: error.message });
  }
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
