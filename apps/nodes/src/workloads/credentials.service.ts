import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import { credentialsDigest, type Workload } from './workload.js'
import type { Credentials } from './workloads.repository.js'

/** What callers of a workload show at the gateway. */
@Injectable()
export class NodeCredentials {
  constructor(private readonly sealer: NodeSealerService) {}

  /** Of 192 random bits: nobody finds it by trying, so one digest is all that stands between. */
  make(id: string): Credentials {
    const user = `u${randomBytes(6).toString('hex')}`
    const password = randomBytes(24).toString('base64url')
    return { user, sealedPassword: this.sealer.seal(password, id), digest: credentialsDigest(user, password) }
  }

  open({ id, sealedPassword }: Workload): string {
    return this.sealer.open(sealedPassword, id)
  }
}
