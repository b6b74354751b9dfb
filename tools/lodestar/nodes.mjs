// Lodestar's beacon node and its validator client, as processes that end with this one, over an anvil with the deposit contract.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DEPOSIT_CONTRACT } from '../../packages/devnet/dist/beacon/deposit-contract.js'
import { putPredeploys } from '../../packages/devnet/dist/beacon/predeploys.js'
import { findAnvil, startAnvil } from '../../packages/devnet/dist/ethereum/anvil.js'
import { freePorts } from '../../packages/devnet/dist/ports.js'
import { startProcess } from '../../packages/devnet/dist/process.js'
import { publicKeyOf } from '../../packages/ethereum/dist/bls.js'
import { encodeDepositCall, makeDeposit } from '../../packages/ethereum/dist/deposit.js'
import { formatHex } from '../../packages/ethereum/dist/hex.js'
import { networkOf } from '../../packages/ethereum/dist/network.js'

const CHAIN_ID = 1337
const GENESIS_VALIDATORS = 8
const SECONDS_PER_SLOT = 2
/** What the validator client sets where nobody says anything. */
const DEFAULT_FEES = `0x${'11'.repeat(20)}`
const WEI = `0x${(32n * 10n ** 18n).toString(16)}`
// Of BLS12-381.
const CURVE_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const PATIENCE_MS = 120_000

// Capella from the first slot on, and short waits. The validator client compares them with those of the node.
const PARAMS = {
  SECONDS_PER_SLOT,
  ALTAIR_FORK_EPOCH: 0,
  BELLATRIX_FORK_EPOCH: 0,
  CAPELLA_FORK_EPOCH: 0,
  TERMINAL_TOTAL_DIFFICULTY: 0,
  SHARD_COMMITTEE_PERIOD: 2,
  MIN_VALIDATOR_WITHDRAWABILITY_DELAY: 2,
  DEPOSIT_CHAIN_ID: CHAIN_ID,
  DEPOSIT_NETWORK_ID: CHAIN_ID,
  DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT,
  SECONDS_PER_ETH1_BLOCK: 1,
  ETH1_FOLLOW_DISTANCE: 4,
}

/** The execution chain: it makes a block a second, and its contract has the deposits that the genesis counts. */
export async function startExecution(dir) {
  const anvil = await startAnvil({ dir: join(dir, 'anvil'), command: findAnvil(), chainId: CHAIN_ID, statesKept: 0 })
  await putPredeploys(anvil.rpc)
  await anvil.rpc.call('evm_setTime', Math.floor(Date.now() / 1000))
  await anvil.rpc.call('evm_setIntervalMining', 1)
  for (let i = 0; i < GENESIS_VALIDATORS; i++) await deposit(anvil, genesisDeposit(i))
  return anvil
}

/** As a wallet does; settles when it is in a block. */
export async function deposit({ rpc }, data) {
  const [from] = await rpc.call('eth_accounts')
  const hash = await rpc.call('eth_sendTransaction', { from, to: DEPOSIT_CONTRACT, value: WEI, data, gas: '0x30d40' })
  const receipt = await until('the deposit is in a block', async () => (await rpc.call('eth_getTransactionReceipt', hash)) ?? undefined)
  if (receipt.status !== '0x1') throw new Error('The deposit contract refuses the deposit.')
}

/** A beacon node, with validators of its own, whose chain begins in so many seconds. */
export async function startBeaconNode(lodestar, { dir, anvil, genesisIn }) {
  const [rest, p2p] = await freePorts(2)
  const url = `http://127.0.0.1:${rest}`
  const options = {
    genesisValidators: GENESIS_VALIDATORS,
    startValidators: `0..${GENESIS_VALIDATORS - 1}`,
    genesisTime: Math.floor(Date.now() / 1000) + genesisIn,
    suggestedFeeRecipient: DEFAULT_FEES,
    server: url,
    rest: true,
    'rest.address': '127.0.0.1',
    'rest.port': rest,
    'rest.namespace': '*',
    eth1: true,
    'eth1.providerUrls': anvil.url,
    'eth1.depositContractDeployBlock': 0,
    'execution.engineMock': true,
    listenAddress: '127.0.0.1',
    port: p2p,
    discv5: false,
    'network.connectToDiscv5Bootnodes': false,
  }
  const process = start('beacon', lodestar, dir, ['dev', ...flags(options)])
  await answering(process, `${url}/eth/v1/beacon/genesis`)
  return { url, process }
}

/** A validator client without keys; its Keymanager API wants the token in the file. */
export async function startValidatorClient(lodestar, { dir, beacon }) {
  const [port] = await freePorts(1)
  const options = {
    network: 'dev',
    server: beacon.url,
    keymanager: true,
    'keymanager.address': '127.0.0.1',
    'keymanager.port': port,
    suggestedFeeRecipient: DEFAULT_FEES,
  }
  const process = start('validator', lodestar, dir, ['validator', ...flags(options)])
  const url = `http://127.0.0.1:${port}`
  const tokenFile = join(dir, 'validator/validator-db/api-token.txt')
  await answering(process, `${url}/eth/v1/keystores`)
  await until('the token is written', () => existsSync(tokenFile) || undefined)
  return { url, tokenFile, token: readFileSync(tokenFile, 'utf8').trim(), process }
}

/** The deposit of a validator that everybody knows the key of (github.com/ethereum/eth2.0-pm, interop/mocked_start). */
function genesisDeposit(index) {
  const number = Buffer.alloc(32)
  number.writeUInt32LE(index)
  const secret = BigInt(`0x${sha256(number).reverse().toString('hex')}`) % CURVE_ORDER
  const secretKey = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex')
  const withdrawalCredentials = sha256(publicKeyOf(secretKey)).fill(0, 0, 1)
  return formatHex(encodeDepositCall(makeDeposit(secretKey, { withdrawalCredentials, amountGwei: 32_000_000_000n }, networkOf('dev'))))
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest()
}

/** Asks until there is an answer that is not undefined. */
export async function until(what, find, patienceMs = PATIENCE_MS) {
  for (const end = Date.now() + patienceMs; ; await delay(250)) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`Not within ${patienceMs / 1000} s: ${what}.`)
  }
}

function start(name, lodestar, dir, args) {
  const preload = fileURLToPath(new URL('preload.mjs', import.meta.url))
  const modules = join(lodestar, 'node_modules')
  const program = join(modules, '@chainsafe/lodestar/lib/index.js')
  const common = flags({ dataDir: join(dir, name), logFile: 'none', ...prefixed(PARAMS) })
  return startProcess({
    name: `lodestar ${name}`,
    command: nodeIn(modules),
    args: ['--import', preload, program, ...args, ...common],
    cwd: dir,
    // One of its libraries has no binary either, and asks which of the two it is.
    env: { ...process.env, LODESTAR_PRESET: 'minimal', NODE_BACKEND: 'js', NODE_OPTIONS: '' },
    log: join(dir, `${name}.log`),
    // Asked to stop it often does not; what it has is thrown away.
    stopSignal: 'SIGKILL',
  })
}

/** The newest that Lodestar's own BLS library has a binary for; the other library takes most of a slot to verify what is in one. */
function nodeIn(modules) {
  const node = process.env.NODE_22 ?? join(modules, `node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(node)) return node
  throw new Error(`npm has no Node 22 for ${process.platform} on ${process.arch}. Set NODE_22=/path/to/node.`)
}

function prefixed(params) {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [`params.${name}`, value]))
}

function flags(options) {
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`)
}

async function answering(running, url) {
  await until(`${running.name} answers`, async () => {
    if (!running.isRunning()) throw new Error(`${running.name} ended (${await running.exited}):\n${running.lastLines()}`)
    return (await fetch(url).catch(() => undefined)) && true
  })
}
