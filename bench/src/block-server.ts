import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { ChainFile, type StoredBlock } from './chain-file.ts'
import { listenAndPrint } from './listen-and-print.ts'

// Just enough of a node to index from: the blocks of a file, over the JSON-RPC and REST of Bitcoin Core. Runs as a separate
// process, with the file and the first tip as arguments; `setheight` moves the tip.

type Answer = { id: unknown; result: unknown; error: { code: number; message: string } | null }

const HEADER = 80
const chain = new ChainFile(process.argv[2] ?? '')
const heights = new Map(chain.blocks.map(({ hash, height }) => [hash, height]))
const firstRequested = new Map<string, number>()
let tip = Math.min(Number(process.argv[3] ?? Number.POSITIVE_INFINITY), chain.blocks.length - 1)

const methods: Record<string, (...params: never[]) => unknown> = {
  getblockchaininfo: () => ({
    chain: 'regtest',
    blocks: tip,
    headers: tip,
    bestblockhash: at(tip).hash,
    difficulty: 4.656542373906925e-10,
    mediantime: header(at(tip)).time,
    verificationprogress: 1,
    initialblockdownload: false,
    chainwork: workAt(tip),
    size_on_disk: at(tip).offset + at(tip).size,
    pruned: false,
    warnings: '',
  }),
  getnetworkinfo: () => ({
    version: 210_201,
    subversion: '/block-server:1/',
    protocolversion: 70_016,
    timeoffset: 0,
    connections: 0,
    networks: [{ name: 'ipv4', limited: false, reachable: true, proxy: '' }],
    relayfee: 0.00001,
    warnings: '',
  }),
  getblockcount: () => tip,
  getbestblockhash: () => at(tip).hash,
  getblockhash: (height: number) => at(height).hash,
  getblockheader: (hash: string, verbose = true) => (verbose ? header(named(hash)) : chain.read(named(hash), HEADER).toString('hex')),
  getblock: (hash: string, verbosity = 1) => {
    if (verbosity !== 0) throw refusal(-8, 'only raw blocks here')
    return blockOf(hash).toString('hex')
  },
  getrawmempool: (verbose = false) => (verbose ? {} : []),
  getmempoolinfo: () => ({ loaded: true, size: 0, bytes: 0, usage: 0, mempoolminfee: 0.00001 }),
  /** Ours: moves the tip. */
  setheight: (height: number) => {
    tip = height
  },
  /** Ours: when this block's bytes were first requested, in milliseconds since 1970. */
  requestedat: (hash: string) => firstRequested.get(hash),
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)))
})
server.keepAliveTimeout = 60_000
listenAndPrint(server)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return rest(request.url ?? '', response)
  const sent = await text(request)
  const calls = JSON.parse(sent)
  const body = JSON.stringify(Array.isArray(calls) ? calls.map(call) : call(calls))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

function rest(path: string, response: ServerResponse): void {
  const hash = /^\/rest\/block\/([0-9a-f]{64})\.bin$/.exec(path)?.[1]
  if (path === '/rest/chaininfo.json') response.end(JSON.stringify(methods.getblockchaininfo?.()))
  else if (hash && isShown(hash)) response.end(blockOf(hash))
  else response.writeHead(404).end(`${path} not found`)
}

function call({ id, method, params = [] }: { id: unknown; method: string; params?: never[] }): Answer {
  const work = methods[method]
  if (!work) return { id, result: null, ...refusal(-32_601, 'Method not found') }
  try {
    return { id, result: work(...params) ?? null, error: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { id, result: null, ...error }
  }
}

function blockOf(hash: string): Buffer {
  const block = named(hash)
  if (!firstRequested.has(hash)) firstRequested.set(hash, Date.now())
  return chain.read(block)
}

function header(block: StoredBlock) {
  const raw = chain.read(block, HEADER)
  const { height, hash } = block
  return {
    hash,
    confirmations: tip - height + 1,
    height,
    version: raw.readInt32LE(0),
    merkleroot: Buffer.from(raw.subarray(36, 68)).reverse().toString('hex'),
    time: raw.readUInt32LE(68),
    mediantime: raw.readUInt32LE(68),
    nonce: raw.readUInt32LE(76),
    bits: raw.readUInt32LE(72).toString(16),
    chainwork: workAt(height),
    nTx: block.transactions,
    previousblockhash: height > 0 ? at(height - 1).hash : undefined,
    nextblockhash: height < tip ? at(height + 1).hash : undefined,
  }
}

/** Two hashes a block, as regtest's target asks for. */
function workAt(height: number): string {
  return ((height + 1) * 2).toString(16).padStart(64, '0')
}

function at(height: number): StoredBlock {
  const block = height <= tip ? chain.blocks[height] : undefined
  if (!block) throw refusal(-8, 'Block height out of range')
  return block
}

function named(hash: string): StoredBlock {
  if (!isShown(hash)) throw refusal(-5, 'Block not found')
  return at(heights.get(hash) ?? 0)
}

function isShown(hash: string): boolean {
  return (heights.get(hash) ?? Number.POSITIVE_INFINITY) <= tip
}

function refusal(code: number, message: string) {
  return { error: { code, message } }
}

function isRefusal(error: unknown): error is { error: { code: number; message: string } } {
  return typeof error === 'object' && error !== null && 'error' in error
}
