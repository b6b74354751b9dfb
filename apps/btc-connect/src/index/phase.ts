import { z } from 'zod'

/** How the index is written: loaded in bulk, merged from what was loaded, or kept up block by block. */
export const Phase = z.enum(['load', 'merge', 'tip'])
export type Phase = z.infer<typeof Phase>
