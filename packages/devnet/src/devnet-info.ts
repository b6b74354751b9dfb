import type { Deployment } from '@trestle/contracts/areas'
import type { StakingInfo } from './beacon/staking-chain.js'
import type { RegtestInfo } from './chains/chain.js'
import { INGRESS } from './deployments.js'
import type { EthereumInfo } from './ethereum/ethereum-chain.js'
import type { MachinesInfo } from './machines/machines.js'
import { ADMIN, DEMO } from './seed.js'
import { internalUrl, publicUrl, type ServiceContext, trustRoots } from './services.js'

/** What stands in devnet.json. */
export interface DevnetInfo {
  readonly ingress: string
  readonly services: Readonly<Record<string, { url: string; internalUrl: string }>>
  readonly demo: { email: string; password: string; userId: string }
  readonly admin: { email: string; password: string }
  readonly mailbox: string
  readonly postgres: string
  readonly nats: string
  /** `TRUST_ROOTS`, for a service that is started beside these. */
  readonly trustRoots: string
  /** By deployment. */
  readonly chains: Readonly<Record<string, RegtestInfo>>
  /** By deployment. */
  readonly ethereum: Readonly<Record<string, EthereumInfo & { projectUrl?: string }>>
  readonly staking?: StakingInfo
  readonly nodes?: MachinesInfo
}

export interface Demo {
  readonly userId: string
  readonly projectUrls: ReadonlyMap<string, string>
}

export async function describe(deployments: readonly Deployment[], surroundings: ServiceContext, demo: Demo): Promise<DevnetInfo> {
  const { ports, databaseUrl, natsUrl } = surroundings
  const ingress = publicUrl(INGRESS, ports)
  const services = deployments.map(({ name }) => [name, { url: publicUrl(name, ports), internalUrl: internalUrl(name, ports) }])
  const chains = [...surroundings.chains].map(async ([name, chain]) => [name, await chain.info()] as const)
  const ethereum = [...surroundings.ethereum].map(async ([name, chain]) => {
    return [name, { ...(await chain.info()), projectUrl: demo.projectUrls.get(name) }] as const
  })
  return {
    ingress,
    services: Object.fromEntries(services),
    demo: { ...DEMO, userId: demo.userId },
    admin: ADMIN,
    mailbox: `${ingress}/accounts/dev/mailbox`,
    postgres: databaseUrl,
    nats: natsUrl,
    trustRoots: trustRoots(surroundings),
    chains: Object.fromEntries(await Promise.all(chains)),
    ethereum: Object.fromEntries(await Promise.all(ethereum)),
    staking: await surroundings.staking?.info(),
    nodes: surroundings.nodes?.info(),
  }
}
