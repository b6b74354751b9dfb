import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import type { GrantedPlan } from '../plans/granted-plan.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import { ENV } from '../settings.module.js'
import type { DescriptionContext } from './description.js'
import type { GatewayCredentials } from './new-workload.js'
import { credentialsDigest, type Workload } from './workload.js'

/** How a workload is called: its credentials at the gateway, and its address. */
@Injectable()
export class WorkloadAccessService {
  constructor(
    private readonly sealer: NodeSealerService,
    private readonly driver: NodeDriver,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'PUBLIC_URL' | 'BASE_PATH'>,
  ) {}

  /** The range of which each workload gets a port of its own, with drivers that have one. */
  get ports(): readonly [number, number] | undefined {
    return this.driver.nodePorts
  }

  /** A password of 192 random bits, which a plain digest is enough for. */
  issueCredentials(id: string): GatewayCredentials {
    const user = `u${randomBytes(6).toString('hex')}`
    const password = randomBytes(24).toString('base64url')
    const [sealedPassword, digest] = [this.sealer.seal(password, id), credentialsDigest(user, password)]
    return { user, sealedPassword: new Uint8Array(sealedPassword), digest: new Uint8Array(digest) }
  }

  passwordOf({ id, sealedPassword }: Workload): string {
    return this.sealer.open(sealedPassword, id)
  }

  contextOf(workload: Workload, plan: GrantedPlan): DescriptionContext {
    const gatewayUrl = this.env.PUBLIC_URL + this.env.BASE_PATH
    return { plan, vendor: this.driver.vendor, gatewayUrl, password: this.passwordOf(workload) }
  }
}
