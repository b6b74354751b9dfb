import { Injectable } from '@nestjs/common'

/** Where services take the time from; tests put their own in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date()
  }
}
