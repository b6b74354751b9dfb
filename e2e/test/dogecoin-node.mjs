#!/usr/bin/env node
// The part of Dogecoin Core that btc-connect uses, with a generated chain: regtest's real genesis block, and
// blocks with merged-mining proofs without real work.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const BLOCKS = 5
const AUX_POW_VERSION = 0x00620104
const BITS = 0x207fffff
const GENESIS_TIME = 1296688602
const GENESIS_COINBASE =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff1004ffff001d0104084e696e746f6e646fffffffff010058850c020000004341040184710fa689ad5023690c80f3a49c8f13f8d45b8c857fbcbc8bc4a8e4d3eb4b10f4d4604fa08dce601aaf0f470216fe1b51850b4acf21b179c45070ac7b03a9ac00000000'
const REWARD = 10_000_00000000n

if (process.argv.includes('--version')) {
  process.stdout.write('Dogecoin Core Daemon version v1.14.9\n')
  process.exit()
}

const chain = makeChain()
const byHash = new Map(chain.map((block) => [block.hash, block]))
const tip = chain.at(-1)

const METHODS = {
  getblockchaininfo: () => ({
    chain: 'regtest',
    blocks: BLOCKS,
    headers: BLOCKS,
    bestblockhash: tip.hash,
    difficulty: 1e-10,
    initialblockdownload: false,
  }),
  getnetworkinfo: () => ({
    version: 1140900,
    subversion: '/Shibetoshi:1.14.9/',
    protocolversion: 70015,
    timeoffset: 0,
    connections: 0,
    relayfee: 0.001,
  }),
  getblockcount: () => BLOCKS,
  getbestblockhash: () => tip.hash,
  getblockhash: (height) => chain[height]?.hash ?? refuse(-8, 'Block height out of range'),
  getblockheader: (hash) => ({ chainwork: (2n * BigInt((byHash.get(hash)?.height ?? 0) + 1)).toString(16).padStart(64, '0') }),
  getblock: (hash) => byHash.get(hash)?.raw ?? refuse(-5, 'Block not found'),
  getmempoolinfo: () => ({ size: 0, bytes: 0, usage: 0 }),
  getrawmempool: () => [],
}

createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(404).end()
  let text = ''
  for await (const part of request) text += part
  const asked = JSON.parse(text)
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
}).listen(Number(setting('rpcport')), '127.0.0.1')
mkdirSync(join(setting('datadir'), 'regtest'), { recursive: true })
writeFileSync(join(setting('datadir'), 'regtest/.cookie'), '__cookie__:dogecoin')
writeFileSync(setting('pid'), String(process.pid))
process.on('SIGTERM', () => process.exit())

function answer({ id, method, params = [] }) {
  try {
    return { id, result: (METHODS[method] ?? (() => refuse(-32601, 'Method not found')))(...params), error: null }
  } catch ({ code, message }) {
    return { id, result: null, error: { code, message } }
  }
}

function refuse(code, message) {
  throw Object.assign(new Error(message), { code })
}

function setting(name) {
  return process.argv.find((argument) => argument.startsWith(`-${name}=`))?.slice(name.length + 2)
}

function makeChain() {
  const blocks = [
    block({ height: 0, version: 1, previous: '00'.repeat(32), time: GENESIS_TIME, nonce: 2, coinbase: GENESIS_COINBASE, proof: '' }),
  ]
  for (let height = 1; height <= BLOCKS; height++) {
    const { hash: previous } = blocks[height - 1]
    blocks.push(
      block({
        height,
        version: AUX_POW_VERSION,
        previous,
        time: GENESIS_TIME + 60 * height,
        nonce: 0,
        coinbase: coinbaseAt(height),
        proof: auxPow(),
      }),
    )
  }
  return blocks
}

function block({ height, version, previous, time, nonce, coinbase, proof }) {
  const merkleRoot = sha256d(coinbase)
  const header = uint32(version) + reversed(previous) + merkleRoot + uint32(time) + uint32(BITS) + uint32(nonce)
  return { height, hash: reversed(sha256d(header)), raw: `${header}${proof}01${coinbase}` }
}

/** Pays to the same key hash with every block. */
function coinbaseAt(height) {
  const input = `${'00'.repeat(32)}ffffffff02510${height}ffffffff`
  return `0100000001${input}01${uint64(REWARD)}1976a914${'11'.repeat(20)}88ac00000000`
}

/** The parent's coinbase, its block's hash, a branch of one, none, and the parent's header. */
function auxPow() {
  return `${coinbaseAt(9)}${'22'.repeat(32)}01${'33'.repeat(32)}0000000000${'00000000'}${'44'.repeat(80)}`
}

function sha256d(hex) {
  const once = createHash('sha256').update(Buffer.from(hex, 'hex')).digest()
  return createHash('sha256').update(once).digest('hex')
}

function reversed(hex) {
  return Buffer.from(hex, 'hex').reverse().toString('hex')
}

function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes.toString('hex')
}

function uint64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString('hex')
}
