import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { chainOfImage } from '@trestle/contracts/chains/chains'
import { Image, NodePerformance, ServiceId } from '@trestle/contracts/nodes/shapes'
import { z } from 'zod'

/** The node programs. */
const DAEMONS = ['bitcoind', 'litecoind', 'bitcoin-cash-node', 'anvil', 'geth', 'core-geth'] as const
export type DaemonName = (typeof DAEMONS)[number]

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)

/** What a machine is made of: an entry of the catalogue, stored with what is made of it, for the catalogue changes. */
export const Blueprint = z
  .object({
    serviceId: ServiceId,
    chain: Image,
    /** As its program names it: `mainnet`, `testnet4`, `regtest`. `dev`: a private chain of anvil or geth. */
    network: z.string().regex(/^[a-z0-9]{1,20}$/),
    daemon: z.enum(DAEMONS),
    /** `core-29.4` */
    software: z.string().regex(/^[a-z-]+-\d[\w.]*$/),
    version: z.string(),
    performance: NodePerformance,
    cpus: z.number().positive(),
    memoryMiB: z.int().positive(),
    diskGiB: z.int().positive(),
    /** The ports of its RPC. */
    ports: z.array(z.int().min(1).max(65_535)).min(1),
    /** Containers are made by digest only, never by tag. */
    container: z.object({ image: z.string(), digest: Digest.optional() }).optional(),
    /** eth only: geth's consensus client. */
    consensus: z.object({ image: z.string(), digest: Digest.optional() }).optional(),
    amiPrefix: z.string().default(''),
    instanceType: z.string().default('process'),
    quickSync: z.boolean().default(false),
    verifiedAt: z.iso.date(),
    mustUpgradeBefore: z.iso.date().optional(),
  })
  .readonly()
export type Blueprint = z.output<typeof Blueprint>

/** Determines the RPC methods and the protocol of a node. */
export function familyOf({ chain }: Pick<Blueprint, 'chain'>): ChainFamily {
  return chainOfImage(chain)?.family ?? 'bitcoin'
}
