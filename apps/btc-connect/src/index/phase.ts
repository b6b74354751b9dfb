import { z } from 'zod'

/** How the index is written: loaded in bulk, merged from what was loaded, or kept up block by block. */
export const IndexPhase = z.enum(['load', 'merge', 'tip'])
export type IndexPhase = z.infer<typeof IndexPhase>
