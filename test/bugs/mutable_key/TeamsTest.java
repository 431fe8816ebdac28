package mutable_key;

import static org.junit.Assert.*;

import org.junit.Test;

public class TeamsTest {
    Teams teams = new Teams();
    Teams.Player player = new Teams.Player("Ann");

    @Test
    public void scores() {
        teams.score(player);
        teams.score(player);
        assertEquals(2, teams.goals(player));
    }

    @Test
    public void keepsGoals() {
        teams.score(player);
        teams.rename(player, "Anna");
        assertEquals(1, teams.goals(player));
    }
}
