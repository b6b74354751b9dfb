/** A block as `getblock 2` prints it, with amounts as text. */
export interface NodeBlock {
  readonly hash: string
  readonly height: number
  readonly previousblockhash?: string
  readonly version: number
  readonly merkleroot: string
  readonly time: number
  readonly nonce: number
  readonly bits: string
  readonly chainwork: string
  readonly size: number
  readonly tx: readonly NodeTransaction[]
}

export interface NodeTransaction {
  readonly txid: string
  readonly version: number
  readonly locktime: number
  readonly size: number
  readonly vin: readonly NodeInput[]
  readonly vout: readonly NodeOutput[]
}

/** Litecoin lists what moves inside its extension blocks beside what everybody sees. */
interface Inside {
  readonly ismweb?: boolean
}

export interface NodeInput extends Inside {
  readonly coinbase?: string
  readonly txid?: string
  readonly vout?: number
  readonly scriptSig?: { readonly asm: string; readonly hex: string }
  readonly sequence: number
}

export interface NodeOutput extends Inside {
  readonly value: string
  readonly n: number
  readonly scriptPubKey: {
    readonly asm: string
    readonly hex: string
    readonly type: string
    /** Since Core 22. */
    readonly address?: string
    /** Before. */
    readonly addresses?: readonly string[]
  }
}
