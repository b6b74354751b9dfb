import { randomBytes } from 'node:crypto'
import type { BenchPlatform } from './platform.ts'
import { type Service, startBuiltService } from './service.ts'

/** A staking service of this chain's node on these tables, beside the other services of the platform. */
export function startStakingService(
  platform: BenchPlatform,
  { role, databaseUrl, beaconUrl }: { role: 'worker' | 'api'; databaseUrl: string; beaconUrl: string },
): Promise<Service> {
  const regions = [{ name: 'here', signer: { kind: 'web3signer', url: beaconUrl } }]
  const settings = {
    DATABASE_URL: databaseUrl,
    CHAINS: JSON.stringify([{ name: 'dev', beacons: [beaconUrl], regions }]),
    KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ROLE: role,
    // Validators are looked after once, at the start.
    RECONCILE_MS: '600000',
    FEE_BASIS_POINTS: '800',
  }
  return startBuiltService(platform, { app: 'staking', name: `staking-${role}`, settings })
}
