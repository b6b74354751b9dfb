import type { Platform } from './platform.ts'
import { type Service, startService } from './service.ts'

/** A btc-connect of regtest on these tables, beside the other services of the platform. */
export function startChainService(
  platform: Platform,
  settings: { ROLE: 'indexer' | 'api'; DATABASE_URL: string; NODE_URL: string },
): Promise<Service> {
  return startService(platform, {
    app: 'btc-connect',
    name: `btc-${settings.ROLE}`,
    settings: { CHAIN: 'btc', NETWORK: 'regtest', ...settings },
  })
}
