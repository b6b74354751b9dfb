import { Injectable } from '@nestjs/common'
import { METHODS } from '../methods/method.js'
import { type Metered, type ProjectCounts, ProjectMeter } from './meter.js'

/** The meters of this process. */
@Injectable()
export class Meters {
  #counting: { project: Metered; meter: ProjectMeter }[] = []

  /** A meter of a project, which may have several: their counts are added up. */
  of({ serial, id, ownerId }: Metered): ProjectMeter {
    const project = { serial, id, ownerId }
    return new ProjectMeter(METHODS, (meter) => this.#counting.push({ project, meter }))
  }

  /** What was counted since the last time. */
  take(): ProjectCounts[] {
    const counted = this.#counting
    this.#counting = []
    return counted.map(({ project, meter }) => ({ project, methods: meter.take() }))
  }
}
