import { parentPort } from 'node:worker_threads'
import { randomSecretKey } from '@trestle/ethereum/bls'
import { encodeDepositCall, makeDeposit, parseDepositCall } from '@trestle/ethereum/deposit'
import { decryptKeystore, encryptKeystore, formatKeystore, parseKeystore, randomPassword } from '@trestle/ethereum/keystore'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { type SignedVoluntaryExit, signExit } from '@trestle/ethereum/voluntary-exit'

// The main of a thread of the key keyGenerator, and all that is done with secret keys: each is wiped before its work is over, whatever becomes
// of it. Of this app it imports nothing, so that a thread can be started from its source too.

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

/** What a thread of the key keyGenerator is asked for. */
export type KeyTask =
  | { readonly kind: 'create'; readonly terms: DepositTerms }
  | { readonly kind: 'sign-exit'; readonly key: KeystoreWithPassword; readonly exit: VoluntaryExit; readonly network: EthereumNetwork }

export type KeyResult = { readonly value: CreatedKey | SignedVoluntaryExit } | { readonly error: string }

// A key derivation function makes guessing dear. Nobody guesses a password of 256 random bits, however cheap a guess is; and a validator
// client that opens thousands of keystores at its start pays for each.
const ITERATIONS = 16

/** A new key with its deposit, looked at as others will look at them. */
async function createKey({ withdrawalCredentials, amountGwei, network }: DepositTerms): Promise<CreatedKey> {
  const secretKey = randomSecretKey()
  try {
    // Verifies the signature it makes.
    const deposit = makeDeposit(secretKey, { withdrawalCredentials, amountGwei }, network)
    const depositCall = encodeDepositCall(deposit)
    const password = randomPassword()
    const keystore = JSON.stringify(formatKeystore(await encryptKeystore(secretKey, password, { iterations: ITERATIONS })))
    await openKey({ pubkey: deposit.pubkey, keystore, password }, async (opened) => {
      const read = parseDepositCall(depositCall, amountGwei)
      const isGood =
        opened.equals(secretKey) && read.withdrawalCredentials.equals(withdrawalCredentials) && read.pubkey.equals(deposit.pubkey)
      if (!isGood) throw new Error('The key or the deposit made is not what it should be.')
    })
    return { pubkey: deposit.pubkey, depositCall, keystore, password }
  } finally {
    secretKey.fill(0)
  }
}

function signExitWith(key: KeystoreWithPassword, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit> {
  return openKey(key, async (secretKey) => signExit(secretKey, exit, network))
}

/** The keystore must be of the key it is kept for, not only of the one it names. */
async function openKey<T>({ pubkey, keystore, password }: KeystoreWithPassword, work: (secretKey: Buffer) => Promise<T>): Promise<T> {
  const parsed = parseKeystore(keystore)
  if (!parsed.pubkey.equals(pubkey)) throw new InvalidEthereumData('The keystore is of another key than the one it is kept for.')
  const secretKey = await decryptKeystore(parsed, password)
  try {
    return await work(secretKey)
  } finally {
    secretKey.fill(0)
  }
}

/** A message between threads brings a Buffer as its bare bytes. */
export function restoreBuffers<T>(value: T): T {
  if (value instanceof Uint8Array) return Buffer.from(value) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restoreBuffers(member)])) as T
}

async function answerTo(task: KeyTask): Promise<KeyResult> {
  try {
    return { value: task.kind === 'create' ? await createKey(task.terms) : await signExitWith(task.key, task.exit, task.network) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

// One task after another, for the answers come in their order.
let last = Promise.resolve()
parentPort?.on('message', (task: KeyTask) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(restoreBuffers(task))))
})
