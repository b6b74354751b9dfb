import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { chainOfImage } from '@trestle/contracts/chains/chains'
import { Image, Performance, ServiceId } from '@trestle/contracts/nodes/shapes'
import { z } from 'zod'

/** The programs that are nodes. */
export const DAEMONS = ['bitcoind', 'litecoind', 'bitcoin-cash-node', 'anvil', 'geth', 'core-geth'] as const
export type DaemonName = (typeof DAEMONS)[number]

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)

/** What a machine is made of: an entry of the catalogue, kept with whatever is made of it, for the catalogue goes on. */
export const Blueprint = z
  .object({
    serviceId: ServiceId,
    chain: Image,
    /** `mainnet`, `testnet4`, `regtest`: what its program calls it. `dev`: a chain of its own that anvil makes. */
    network: z.string().regex(/^[a-z0-9]{1,20}$/),
    daemon: z.enum(DAEMONS),
    /** `core-29.4` */
    software: z.string().regex(/^[a-z-]+-\d[\w.]*$/),
    version: z.string(),
    performance: Performance,
    cpus: z.number().positive(),
    memoryMiB: z.int().positive(),
    diskGiB: z.int().positive(),
    /** Where its program answers calls. */
    ports: z.array(z.int().min(1).max(65_535)).min(1),
    /** Never by its tag alone: one without a digest is refused where containers are made. */
    container: z.object({ image: z.string(), digest: Digest.optional() }).optional(),
    /** Of eth: the consensus client that geth follows. */
    consensus: z.object({ image: z.string(), digest: Digest.optional() }).optional(),
    amiPrefix: z.string().default(''),
    instanceType: z.string().default('process'),
    quickSync: z.boolean().default(false),
    verifiedAt: z.iso.date(),
    mustUpgradeBefore: z.iso.date().optional(),
  })
  .readonly()
export type Blueprint = z.output<typeof Blueprint>

/** What is asked of a node, and how, depends on this alone. */
export function familyOf({ chain }: Pick<Blueprint, 'chain'>): ChainFamily {
  return chainOfImage(chain)?.family ?? 'bitcoin'
}
