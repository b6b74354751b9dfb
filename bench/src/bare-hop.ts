import { createServer, type ServerResponse } from 'node:http'
import { type Dispatcher, Pool } from 'undici'
import { listenAndPrint } from './listen-and-print.ts'

// The minimal cost of one hop in Node: the body goes out unchanged, the response comes back unchanged. It inspects nothing.

const pool = new Pool(process.argv[2] ?? '', { connections: 128, pipelining: 1 })
const headers = { 'content-type': 'application/json' }

const server = createServer((request, response) => {
  let body: Buffer | undefined
  request.on('data', (chunk: Buffer) => {
    body = body ? Buffer.concat([body, chunk]) : chunk
  })
  request.on('end', () => pool.dispatch({ method: 'POST', path: '/', headers, body }, handlerOf(response)))
})
listenAndPrint(server)

function handlerOf(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, { 'content-length': length }) {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(length) })
    },
    onResponseData(_controller, chunk) {
      response.write(chunk)
    },
    onResponseEnd() {
      response.end()
    },
    onResponseError() {
      response.destroy()
    },
  }
}
