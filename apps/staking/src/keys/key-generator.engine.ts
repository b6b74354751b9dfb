import { availableParallelism } from 'node:os'
import { Injectable } from '@nestjs/common'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { KeySealer, type SealedKey } from './key-sealer.js'
import { KeyThread } from './key-thread.engine.js'
import type { CreatedKey, DepositTerms, KeyTask } from './key-worker.engine.js'

export interface GeneratedKey extends SealedKey {
  readonly depositCall: Buffer
}

// One core stays free for requests; a few threads make more keys than anybody orders.
const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Creates keys and signs with them in worker threads, so that requests are not held up. No secret key ever leaves its thread. */
@Injectable()
export class KeyGenerator {
  private readonly threads = Array.from({ length: THREADS }, () => new KeyThread())

  constructor(
    private readonly sealer: KeySealer,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onClose(() => this.close())
  }

  async create(terms: DepositTerms): Promise<GeneratedKey> {
    const { password, ...key } = await this.run<CreatedKey>({ kind: 'create', terms })
    return { ...key, sealedPassword: this.sealer.seal(password, key.pubkey) }
  }

  /** For signers that do not sign exits. */
  async signExit(key: SealedKey, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit> {
    const { pubkey, keystore } = key
    return this.run<SignedVoluntaryExit>({ kind: 'sign-exit', key: { pubkey, keystore, password: this.passwordOf(key) }, exit, network })
  }

  /** A signer needs it together with the keystore. */
  passwordOf({ sealedPassword, pubkey }: SealedKey): string {
    return this.sealer.open(sealedPassword, pubkey)
  }

  private run<T>(task: KeyTask): Promise<T> {
    const [first, ...others] = this.threads
    if (!first) throw new Error('The key generator has no threads.')
    const idlest = others.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best), first)
    return idlest.run<T>(task)
  }

  private async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }
}
