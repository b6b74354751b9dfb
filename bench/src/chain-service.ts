import type { BenchPlatform } from './platform.ts'
import { type Service, startBuiltService } from './service.ts'

/** btc-connect for regtest on these tables, beside the other services of the platform. */
export function startChainService(
  platform: BenchPlatform,
  settings: { ROLE: 'indexer' | 'api'; DATABASE_URL: string; NODE_URL: string },
): Promise<Service> {
  return startBuiltService(platform, {
    app: 'btc-connect',
    name: `btc-${settings.ROLE}`,
    settings: { CHAIN: 'btc', NETWORK: 'regtest', ...settings },
  })
}
