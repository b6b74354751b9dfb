import { createServer } from 'node:http'
import { listenAndPrint } from './listen-and-print.ts'

// What every machine of a fleet that is not there answers when it is asked how it is.

const RESULTS: Record<string, unknown> = { eth_syncing: false, eth_blockNumber: '0x7', net_peerCount: '0x2' }

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const questions = JSON.parse(body) as { id: number; method: string }[]
    const answer = JSON.stringify(questions.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: RESULTS[method] })))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
server.keepAliveTimeout = 600_000
listenAndPrint(server)
