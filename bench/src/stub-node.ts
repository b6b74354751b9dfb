import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { listenAndPrint } from './listen-and-print.ts'

// A node that costs almost nothing: an empty chain that grows on request; every other answer has one of three sizes.

// Of a chain whose blocks need no true hashes: those of a record must hash as their headers say.
const CHAIN_ID = '0x539'
const FIRST_HEAD = 1000
const SAFE_DEPTH = 32
const FINAL_DEPTH = 64

const small = sized('"0x1234567"')
const medium = sized(logsOf(72 * 1024))
const large = sized(logsOf(1_500_000))
const answers: Record<string, Buffer> = { eth_call: medium, eth_simulateV1: large }

let head = FIRST_HEAD
let calls = 0
const subscribers = new Map<string, WebSocket>()

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const answer = answerTo(JSON.parse(body))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
// Kept-alive connections must stay open.
server.keepAliveTimeout = 600_000
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, method } = JSON.parse(String(data)) as { id: number; method: string }
    const subscription = `0x${(subscribers.size + 1).toString(16)}`
    if (method === 'eth_subscribe') subscribers.set(subscription, socket)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscription }))
  })
  socket.on('close', () => {
    for (const [id, subscriber] of subscribers) if (subscriber === socket) subscribers.delete(id)
  })
})
listenAndPrint(server)

function answerTo({ method, params, id }: { method: string; params: unknown[]; id: unknown }): Buffer {
  const result = chainAnswer(method, params)
  if (result !== undefined) return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
  calls++
  return answers[method] ?? small
}

/** Answers for those that follow the chain, and for the benchmark. */
function chainAnswer(method: string, [first]: readonly unknown[] = []): unknown {
  switch (method) {
    case 'eth_chainId':
      return CHAIN_ID
    case 'eth_syncing':
      return false
    case 'eth_getBlockByNumber':
      return blockAt(numberOf(String(first)))
    case 'eth_getBlockByHash':
      return blockAt(Number(first))
    case 'bench_counts':
      return { calls, subscriptions: subscribers.size }
    case 'bench_mine':
      return mine()
  }
}

/** One more block; returns when it was sent to subscribers, on the clock that all processes of a machine share. */
function mine(): { sentAt: number } {
  head++
  const sentAt = Number(process.hrtime.bigint()) / 1e6
  for (const [subscription, socket] of subscribers) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result: blockAt(head) } }))
  }
  return { sentAt }
}

function numberOf(reference: string): number {
  if (reference === 'safe') return head - SAFE_DEPTH
  if (reference === 'finalized') return head - FINAL_DEPTH
  return reference.startsWith('0x') ? Number(reference) : head
}

function blockAt(number: number) {
  const empty = word(0)
  return {
    number: `0x${number.toString(16)}`,
    // The hash is the number, so that a block can be found by it.
    hash: word(number),
    parentHash: word(number - 1),
    sha3Uncles: empty,
    miner: `0x${'0'.repeat(40)}`,
    stateRoot: empty,
    transactionsRoot: empty,
    receiptsRoot: empty,
    logsBloom: `0x${'0'.repeat(512)}`,
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: `0x${(1_700_000_000 + number * 12).toString(16)}`,
    extraData: '0x',
    mixHash: empty,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
    transactions: [],
  }
}

function sized(result: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`)
}

/** As many logs as fit: an answer with the structure of real ones. */
function logsOf(bytes: number): string {
  const log = (index: number) => ({
    address: `0x${'a1'.repeat(20)}`,
    topics: [word(0xddf252ad), word(index), word(index + 1)],
    data: word(index * 1000),
    blockNumber: '0x3e8',
    transactionHash: word(index),
    transactionIndex: '0x0',
    blockHash: word(FIRST_HEAD),
    logIndex: `0x${index.toString(16)}`,
    removed: false,
  })
  const count = Math.ceil(bytes / JSON.stringify(log(1000)).length)
  return JSON.stringify(Array.from({ length: count }, (_, index) => log(index)))
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
