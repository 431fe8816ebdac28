package state_machine;

class Door {
    enum State { OPEN, CLOSED, LOCKED }

    private State state = State.CLOSED;

    void turn(boolean key) {
        switch (state) {
            case LOCKED:
                if (key) state = State.CLOSED;
                break;
            case CLOSED:
                // repair missing-branch: state = key ? State.LOCKED : State.OPEN;
                state = State.OPEN;
                break;
            default:
                state = State.CLOSED;
        }
    }

    State state() {
        return state;
    }
}
