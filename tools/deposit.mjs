// npm run devnet:deposit -- <pubkey>: sends the 32 ETH for a validator of the demo user on the devnet's chain, as its owner would with a wallet.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { step } from './progress.mjs'

const HELP = `npm run devnet:deposit -- <pubkey>

Sends the deposit of a validator that the demo user has created on the chain "dev" of a running Trestle: 32 ETH to the deposit contract,
with the validator's depositData. Waits until its validator client has the key; a deposit sent before could miss duties.
`
const PATIENCE_MS = 60_000
const WEI = `0x${(32n * 10n ** 18n).toString(16)}`

const [pubkey, more] = process.argv.slice(2)
if (!pubkey || more || pubkey.startsWith('-')) {
  console.log(HELP)
  process.exit(pubkey === '--help' ? 0 : 2)
}
try {
  const { ingress, demo, staking } = devnetInfo()
  if (!staking) throw new Error('This Trestle runs without the staking area.')
  const { accessToken } = await json(`${ingress}/accounts/auth`, { method: 'POST', headers: { authorization: basic(demo) } })
  const address = `${ingress}/staking/ethereum/dev/validators/${pubkey}`
  const validator = await step('Waiting for its validator client', () => untilReady(address, `Bearer ${accessToken}`))
  const hash = await step('Sending 32 ETH', () => deposit(staking, validator.depositData))
  console.log(
    `\n  Transaction ${hash}\n  The validator is active some ten epochs later, in about three minutes:\n    curl -H "Authorization: Bearer $TOKEN" ${address}\n`,
  )
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
}

function devnetInfo() {
  try {
    return JSON.parse(readFileSync('.data/devnet.json', 'utf8'))
  } catch {
    throw new Error('No Trestle is running here. Start one in another terminal: npm start')
  }
}

function basic({ email, password }) {
  return `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
}

async function json(url, options) {
  const answer = await fetch(url, options)
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${body.detail ?? answer.status}`)
  return body
}

async function untilReady(address, authorization) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await delay(500)) {
    const validator = await json(address, { headers: { authorization } })
    if (validator.phase === 'ready') return validator
    if (validator.phase !== 'created') throw new Error(`The validator is ${validator.phase}: no deposit is needed.`)
  }
  throw new Error('The validator client does not have the key yet. See the note of the validator, and .data/logs/staking.log.')
}

async function deposit({ execution, account, depositContract }, data) {
  const transaction = { from: account, to: depositContract, value: WEI, data }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] })
  const { result, error } = await json(execution, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (error) throw new Error(`The execution node refuses the transaction: ${error.message}`)
  return result
}
