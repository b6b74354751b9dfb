import { Inject, Injectable } from '@nestjs/common'
import { Sealer } from '@trestle/runtime/sealing'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** Seals passwords, each for the node, cluster or machine of one id, so that the database alone does not reveal them. */
@Injectable()
export class NodeSealerService {
  private readonly sealer: Sealer

  constructor(@Inject(ENV) { KEY_ENCRYPTION_KEYS }: Pick<NodesEnv, 'KEY_ENCRYPTION_KEYS'>) {
    this.sealer = new Sealer(KEY_ENCRYPTION_KEYS)
  }

  seal(password: string, id: string): Buffer {
    return this.sealer.seal(password, Buffer.from(id))
  }

  open(sealed: Uint8Array, id: string): string {
    return this.sealer.open(Buffer.from(sealed), Buffer.from(id))
  }
}
