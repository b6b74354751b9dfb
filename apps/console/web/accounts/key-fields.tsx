import { Checkbox, Fieldset, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ClientArea } from '@trestle/contracts/areas'
import { PERMISSIONS } from '@trestle/contracts/permissions'
import { utcDay } from '../parts/days.js'
import { type FieldChange, textField } from '../parts/form.js'
import { keysTexts as texts } from '../texts/keys.js'
import { EXPIRIES } from './key-expiry.js'
import { addressMistake, type Expiry, isExpiry, type KeyForm } from './key-form.js'
import { AREA_PERMISSIONS, scopesAmong } from './key-scopes.js'

interface FieldsProps {
  form: KeyForm
  dispatch: (event: FieldChange<KeyForm>) => void
  /** What the platform has refused, by field. */
  mistakes: Readonly<Record<string, string>>
  /** Whether the key exists already, with an expiry of its own. */
  isKept?: boolean
}

/** Every setting of a client key. */
export function KeyFields(props: FieldsProps) {
  const { form, dispatch, mistakes } = props
  return (
    <>
      <TextInput
        {...textField(form, dispatch, 'name')}
        label={texts.name}
        description={texts.nameHint}
        maxLength={100}
        data-autofocus
        error={mistakes['name']}
      />
      <ScopeFields {...props} />
      <ExpiryFields {...props} />
      <LimitFields {...props} />
    </>
  )
}

function ScopeFields({ form: { scopes }, dispatch }: FieldsProps) {
  return (
    <Checkbox.Group
      label={texts.scopes}
      description={texts.scopesHint}
      value={[...scopes]}
      onChange={(chosen) => dispatch({ type: 'changed', field: 'scopes', value: scopesAmong(chosen) })}
      error={scopes.length === 0 && texts.noScope}
    >
      <Stack mt="xs" gap="xs">
        {AREA_PERMISSIONS.map(({ area, permissions }) => (
          <AreaFields key={area} area={area} permissions={scopes.includes(area) ? [] : permissions} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function AreaFields({ area, permissions }: { area: ClientArea; permissions: (typeof AREA_PERMISSIONS)[number]['permissions'] }) {
  return (
    <Fieldset legend={texts.area[area]} p="xs">
      <Stack gap="xs">
        <Checkbox value={area} label={texts.everything(texts.area[area])} />
        {permissions.map((permission) => (
          <Checkbox key={permission} value={permission} label={PERMISSIONS[permission]} />
        ))}
      </Stack>
    </Fieldset>
  )
}

function ExpiryFields({ form, dispatch, mistakes, isKept }: FieldsProps) {
  const isDay = form.expiry === 'day'
  const choices: readonly Expiry[] = isKept ? ['keep', ...EXPIRIES] : EXPIRIES
  return (
    <>
      <Select
        label={texts.expiry}
        data={choices.map((value) => ({ value, label: labelOf(value) }))}
        value={form.expiry}
        onChange={(value) => isExpiry(value) && dispatch({ type: 'changed', field: 'expiry', value })}
        allowDeselect={false}
        error={isDay ? undefined : mistakes['expiresAt']}
      />
      {isDay && (
        <TextInput
          {...textField(form, dispatch, 'lastDay')}
          type="date"
          label={texts.lastDay}
          min={utcDay(new Date())}
          required
          error={mistakes['expiresAt']}
        />
      )}
    </>
  )
}

const LIMITS = [
  { field: 'perSecond', max: 10_000 },
  { field: 'perDay', max: 1_000_000_000 },
] as const

function LimitFields({ form, dispatch, mistakes }: FieldsProps) {
  const { wrong, isTooMany } = addressMistake(form)
  return (
    <Fieldset legend={texts.limits} p="xs">
      <Text size="sm" c="dimmed" mb="xs">
        {texts.limitsHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="xs">
        {LIMITS.map(({ field, max }) => (
          <NumberInput
            key={field}
            label={texts[field]}
            value={form[field]}
            onChange={(value) => dispatch({ type: 'changed', field, value: typeof value === 'number' ? value : '' })}
            min={1}
            max={max}
            allowDecimal={false}
            thousandSeparator=","
            error={mistakes[field]}
          />
        ))}
      </SimpleGrid>
      <Textarea
        {...textField(form, dispatch, 'allowedIps')}
        label={texts.allowedIps}
        description={texts.allowedIpsHint}
        error={wrong.length > 0 ? texts.wrongAddress(wrong) : (isTooMany && texts.tooManyAddresses) || mistakes['allowedIps']}
        autosize
        minRows={2}
      />
    </Fieldset>
  )
}

function labelOf(expiry: Expiry): string {
  if (expiry === 'keep') return texts.keep
  if (expiry === 'never') return texts.forever
  return expiry === 'day' ? texts.onDay : texts.days(Number(expiry))
}
