import { randomBytes } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { secretKeyFrom } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit, parseDepositCall } from '@trestle/ethereum/deposit'
import { formatKeystore, parseKeystore } from '@trestle/ethereum/keystore'
import { decryptKeystore, encryptKeystore, randomPassword } from '@trestle/ethereum/keystore-cipher.engine'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { type SignedVoluntaryExit, signExit } from '@trestle/ethereum/voluntary-exit'
import { messageOf } from '@trestle/problem/thrown'

// The main file of a key thread, and the only code that handles secret keys: each is wiped when its task ends, also if the task fails.
// It imports nothing of this app, so that a thread can start from source too.

export interface DepositTerms {
  readonly withdrawalCredentials: Buffer
  readonly amountGwei: bigint
  readonly network: EthereumNetwork
}

export interface CreatedKey {
  readonly pubkey: Buffer
  readonly depositCall: Buffer
  /** JSON of EIP-2335. */
  readonly keystore: string
  readonly password: string
}

interface KeystoreWithPassword {
  readonly pubkey: Buffer
  readonly keystore: string
  readonly password: string
}

export type KeyTask =
  | { readonly kind: 'create'; readonly terms: DepositTerms }
  | { readonly kind: 'sign-exit'; readonly key: KeystoreWithPassword; readonly exit: VoluntaryExit; readonly network: EthereumNetwork }

export type KeyResult = { readonly value: CreatedKey | SignedVoluntaryExit } | { readonly error: string }

// Iterations make guessing expensive. Nobody guesses a password of 256 random bits, and a validator client that opens thousands of
// keystores at its start pays for each.
const ITERATIONS = 16

/** A new key with its deposit, checked as others will check them. */
async function createKey({ withdrawalCredentials, amountGwei, network }: DepositTerms): Promise<CreatedKey> {
  const random = randomBytes(64)
  const secretKey = secretKeyFrom(random)
  random.fill(0)
  try {
    // Verifies the signature it makes.
    const deposit = makeDeposit(secretKey, { withdrawalCredentials, amountGwei }, network)
    const depositCall = encodeDepositCall(deposit)
    const password = randomPassword()
    const keystore = JSON.stringify(formatKeystore(await encryptKeystore(secretKey, password, { iterations: ITERATIONS })))
    await openKey({ pubkey: deposit.pubkey, keystore, password }, async (opened) => {
      const read = parseDepositCall(depositCall, amountGwei)
      const isValid =
        opened.equals(secretKey) && read.withdrawalCredentials.equals(withdrawalCredentials) && read.pubkey.equals(deposit.pubkey)
      if (!isValid) throw new Error('The new key or its deposit failed its check.')
    })
    return { pubkey: deposit.pubkey, depositCall, keystore, password }
  } finally {
    secretKey.fill(0)
  }
}

function signExitWith(key: KeystoreWithPassword, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit> {
  return openKey(key, async (secretKey) => signExit(secretKey, exit, network))
}

/** The keystore must contain the key it is stored for, not only name it. */
async function openKey<T>({ pubkey, keystore, password }: KeystoreWithPassword, work: (secretKey: Buffer) => Promise<T>): Promise<T> {
  const parsed = parseKeystore(keystore)
  if (!parsed.pubkey.equals(pubkey)) throw new InvalidEthereumData('The keystore contains another key than the one it is stored for.')
  const secretKey = await decryptKeystore(parsed, password)
  try {
    return await work(secretKey)
  } finally {
    secretKey.fill(0)
  }
}

/** A message between threads turns each Buffer into a Uint8Array. */
export function restoreBuffers<T>(value: T): T {
  if (value instanceof Uint8Array) return Buffer.from(value) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restoreBuffers(member)])) as T
}

async function answerTo(task: KeyTask): Promise<KeyResult> {
  try {
    return { value: task.kind === 'create' ? await createKey(task.terms) : await signExitWith(task.key, task.exit, task.network) }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

// One task after another: the results are matched to tasks by their order.
let last = Promise.resolve()
parentPort?.on('message', (task: KeyTask) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(restoreBuffers(task))))
})
