import { addressOf } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { descriptorChecksum } from '@trestle/bitcoin/descriptors/checksum'
import { type Descriptor, descriptorOf } from '@trestle/bitcoin/descriptors/descriptor'
import { InvalidDescriptor } from '@trestle/bitcoin/descriptors/invalid-descriptor'
import { walletDescriptor } from '@trestle/bitcoin/descriptors/wallet'
import { Problem } from '@trestle/problem/problem'
import type { WalletScript } from './wallet.js'

/** A wallet, and those of its scripts that were derived. */
export interface DerivedWallet {
  /** With its checksum. */
  readonly text: string
  readonly descriptor: Descriptor
  scriptAt(branch: number, index: number): WalletScript
}

interface Kept extends DerivedWallet {
  readonly scripts: Map<string, WalletScript>
}

// Some 10 MB.
const MAX_SCRIPTS = 50_000

/** To derive a script takes longer than to look it up, and wallets are asked about again and again: the last ones asked about are kept, in memory alone. */
export class DerivedWallets {
  /** The one asked about last is the last. */
  readonly #wallets = new Map<string, Kept>()

  constructor(
    private readonly rules: ChainRules,
    private readonly maxScripts = MAX_SCRIPTS,
  ) {}

  get size(): number {
    return this.#wallets.size
  }

  /** Problem `InvalidWallet` if the text is no key and no descriptor of this chain. */
  get(text: string): DerivedWallet {
    const wallet = this.#wallets.get(text) ?? this.read(text)
    this.#wallets.delete(text)
    this.evict()
    this.#wallets.set(text, wallet)
    return wallet
  }

  private evict(): void {
    let scripts = [...this.#wallets.values()].reduce((sum, wallet) => sum + sizeOf(wallet), 0)
    for (const [text, wallet] of this.#wallets) {
      if (scripts < this.maxScripts) return
      scripts -= sizeOf(wallet)
      this.#wallets.delete(text)
    }
  }

  private read(text: string): Kept {
    const [bare = '', descriptor] = parsed(text, this.rules)
    const scripts = new Map<string, WalletScript>()
    const derive = (branch: number, index: number): WalletScript => {
      const script = descriptor.scriptAt({ branch, index })
      // Bare multisig has no address.
      return { branch, index, script, address: addressOf(script, this.rules) ?? script.toString('hex') }
    }
    const scriptAt = (branch: number, index: number) => {
      const place = `${branch}/${index}`
      const script = scripts.get(place) ?? derive(branch, index)
      scripts.set(place, script)
      return script
    }
    return { text: `${bare}#${descriptorChecksum(bare)}`, descriptor, scripts, scriptAt }
  }
}

/** One that has derived nothing yet takes room, too. */
function sizeOf({ scripts }: Kept): number {
  return scripts.size + 1
}

function parsed(text: string, rules: ChainRules): [bare: string, descriptor: Descriptor] {
  try {
    const whole = walletDescriptor(text.trim(), rules)
    return [whole.replace(/#.*$/, ''), descriptorOf(whole, rules)]
  } catch (error) {
    if (!(error instanceof InvalidDescriptor)) throw error
    throw new Problem('invalid', 'InvalidWallet', `This is no wallet of ${rules.coin} ${rules.network}: ${error.message}.`)
  }
}
