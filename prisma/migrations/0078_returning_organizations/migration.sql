-- An organization that comes back to where it had left: its requests go on to be led to the other installation until it has arrived.
ALTER TABLE cell_moves DROP CONSTRAINT cell_moves_state_check;
-- not used by the release before: the state that is new; all others are allowed as before.
ALTER TABLE cell_moves ADD CONSTRAINT cell_moves_state_check CHECK (state IN ('copying', 'held', 'left', 'arriving', 'returning', 'arrived'));
